"""Whether students handed in again after they were graded."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Container
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.datetimes import parse_timestamp
from autograder.record import METADATA, read_metadata
from autograder.sanitize.program_files import walk_work
from autograder.sanitize.submission import notebook_files, read_timestamp

if TYPE_CHECKING:
    from autograder.course_folder import CourseFolder


def digest(path: Path) -> str:
    """A digest of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def notebook_digest(folder: Path, name: str, names: Container[str]) -> str:
    """A digest of the files that may be one of a lesson's notebooks: the one with its name, and all
    with unknown names.

    Args:
        folder: the submission.
        name: the file name of the lesson's notebook.
        names: the file names of all of them.

    Returns:
        "" if there is no such file.
    """
    paths = [
        path
        for path in notebook_files(folder)
        if stat.S_ISREG(path.lstat().st_mode) and (path.name == name or path.name not in names)
    ]
    if [path.name for path in paths] == [name]:
        return digest(paths[0])
    parts = [f"{path.name}\0{digest(path)}\0" for path in paths]
    return hashlib.sha256(os.fsencode("".join(parts))).hexdigest() if parts else ""


def whole_digest(handed_in: Path, lesson: Path) -> str:
    """A digest of a submission and of the version of its lesson.

    Args:
        handed_in: the submission's folder.
        lesson: the lesson's folder with the solutions.
    """
    whole = hashlib.sha256()
    for root in (handed_in, lesson):
        found = walk_work(root) if root == handed_in else os.walk(root)
        for path in sorted(Path(at, name) for at, _, names in found for name in names):
            # A submitted link's target isn't part of the submission, and may have any size.
            if path.is_file() and not (root == handed_in and path.is_symlink()):
                whole.update(os.fsencode(path.relative_to(root)))
                whole.update(f"\0{path.stat().st_size}\0".encode())
                with path.open("rb") as file:
                    while part := file.read(2**20):
                        whole.update(part)
    return whole.hexdigest()


def handed_in_again(submitted: Path, autograded: Path) -> bool | None:
    """Whether a submission differs from the one that was graded.

    It does if its time is later, which is nbgrader's rule, or if a notebook isn't the file that was
    graded. If plain nbgrader graded it, that file is unknown. Then the times decide, and if one of
    them is missing, a notebook that was written later leaves the question open.

    Args:
        submitted: the submission's folder.
        autograded: the folder of the result.

    Returns:
        None if it's unknown, but the files look like it.
    """
    new, old = _time(submitted), _time(autograded)
    if new and old and new > old:
        return True
    may_be = False
    names = {path.name for path in autograded.glob("*.ipynb")}
    for name in sorted(names):
        path, result = submitted / name, autograded / name
        if recorded := _recorded(result):
            if recorded != (notebook_digest(submitted, name, names) or recorded):
                return True
        elif (
            path.is_file()
            and not path.is_symlink()
            and path.stat().st_mtime > result.stat().st_mtime
        ):
            may_be = True
    return None if may_be and not (new and old) else False


def remarks(course: CourseFolder, lesson: str) -> list[str]:
    """A line for each group of students who handed in a lesson again, or may have.

    Args:
        course: the course folder.
        lesson: the lesson.
    """
    found: dict[bool | None, list[str]] = {}
    for student in course.students(lesson):
        graded = course.autograded(student, lesson).parent
        with suppress(Exception):  # grading says what cannot be read
            again = handed_in_again(course.submitted(student, lesson), graded)
            found.setdefault(again, []).append(student)
    lines = []
    for again, said in (
        (True, "handed in again after grading"),
        (None, "may have handed in again after grading: not all times are known"),
    ):
        if names := found.get(again):
            who = "1 student" if len(names) == 1 else f"{len(names)} students"
            whom = " ".join(f"--students {name}" for name in names)
            force = "" if again else " --force"  # if the notebook differs, it's graded anyway
            lines.append(f"{who} {said}: autograder grade {lesson}{force} {whom}")
    return lines


def _recorded(notebook: Path) -> str:
    """The digest of the file that a notebook was made from, or "" if it has none."""
    with suppress(ValueError, AttributeError, KeyError, TypeError):
        return str(read_metadata(notebook.read_text("utf8"))[METADATA]["file_digest"])
    return ""


def _time(folder: Path) -> datetime | None:
    """The submission time; None if there is none that can be read."""
    with suppress(ValueError, OverflowError):
        return parse_timestamp(read_timestamp(folder))
    return None
