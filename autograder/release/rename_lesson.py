"""Rename a lesson, with everything that was handed in and graded under the old name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from autograder.collect.manifest import rename_lesson_in_collected
from autograder.course_folder import STAGING, CourseFolder, check_lesson_name
from autograder.errors import CourseError
from autograder.grading.batch import grading_lock

Move = tuple[Path, Path]


def rename_lesson(course: CourseFolder, old: str, new: str) -> list[Path]:
    """Rename a lesson's folders and notebooks, and its entries in the gradebook: all or nothing.

    After an interruption, the same call resumes.

    Args:
        course: the course folder.
        old: any folder of ``source/``; its notebook of the same name is also renamed.
        new: an unused name.

    Returns:
        The folders under their new names, relative to the course's.

    Raises:
        CourseError: when there is no such lesson, the new name is taken or invalid, somebody is
            grading, or something couldn't be renamed; then everything is as it was.
    """
    journal = course.root / STAGING / "rename.json"
    with grading_lock(course):
        if not _goes_on(journal, old, new):
            course.find_assignment(old)
            _check(course, new)
            moves = [move for folder in _folders(course, old) for move in _moves(folder, old, new)]
            text = [[str(path.relative_to(course.root)) for path in move] for move in moves]
            journal.write_text(json.dumps({"old": old, "new": new, "moves": text}), "utf8")
        planned = json.loads(journal.read_text("utf8"))["moves"]
        moves = [(course.root / before, course.root / after) for before, after in planned]
        done: list[Move] = []
        try:
            for before, after in moves:
                if before.exists() and not after.exists():
                    before.rename(after)
                done.append((before, after))
            rename_lesson_in_collected(course, old, new)
            _rename_entries(course, old, new)
        except Exception as error:
            for before, after in reversed(done):
                if after.exists():
                    after.rename(before)
            with suppress(CourseError):  # it may be what could not be renamed
                rename_lesson_in_collected(course, new, old)
            journal.unlink()
            raise CourseError(f"{old} could not be renamed and keeps its name: {error}") from error
        journal.unlink()
    return [after.relative_to(course.root) for _, after in moves if after.is_dir()]


def _goes_on(journal: Path, old: str, new: str) -> bool:
    """Whether an interrupted call did the same.

    Raises:
        CourseError: when it did something else.
    """
    if not journal.is_file():
        return False
    begun = json.loads(journal.read_text("utf8"))
    if (begun["old"], begun["new"]) != (old, new):
        raise CourseError(
            "Renaming another lesson was interrupted: finish it first: "
            f"autograder rename-lesson '{begun['old']}' '{begun['new']}'"
        )
    return True


def _check(course: CourseFolder, new: str) -> None:
    check_lesson_name(new)
    taken = [str(path.relative_to(course.root)) for path in _folders(course, new)]
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        if new in {assignment.name for assignment in gradebook.assignments}:
            taken.append("the gradebook")
    if taken:
        raise CourseError(f"The name {new} is taken: {', '.join(taken)}.")


def _folders(course: CourseFolder, lesson: str) -> Iterator[Path]:
    """The paths that contain something of a lesson."""
    tests = course.root / "tests" / "submissions"
    for folder in (course.folder("source"), course.folder("release"), tests):
        yield from folder.glob(f"{lesson}/")
    for step in ("submitted", "autograded", "feedback"):
        yield from sorted(course.folder(step).glob(f"*/{lesson}/"))
    # What a later submission replaced; there is no date where nobody knew when it was handed in.
    yield from sorted(course.folder("submitted").glob(f"*/{lesson}.before/"))
    yield from sorted(course.folder("submitted").glob(f"*/{lesson}.before-*/"))


def _moves(folder: Path, old: str, new: str) -> Iterator[Move]:
    renamed = folder.with_name(new + folder.name.removeprefix(old))
    yield folder, renamed
    for kind in ("ipynb", "html"):
        if (folder / f"{old}.{kind}").is_file():
            yield renamed / f"{old}.{kind}", renamed / f"{new}.{kind}"


def _rename_entries(course: CourseFolder, old: str, new: str) -> None:
    from nbgrader.api import MissingEntry
    from sqlalchemy import update

    from autograder.gradebook.schema import ReleasedVersion

    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        try:
            assignment = gradebook.find_assignment(old)
        except MissingEntry:  # not released yet, or renamed before an interruption
            return
        assignment.name = new
        for notebook in assignment.notebooks:
            if notebook.name == old:
                notebook.name = new
        versions = update(ReleasedVersion).where(
            ReleasedVersion.assignment_id == assignment.id, ReleasedVersion.notebook == old
        )
        gradebook.db.execute(versions.values(notebook=new))
        gradebook.db.commit()
