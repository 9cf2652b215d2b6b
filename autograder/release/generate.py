"""Generate release/ and the answer sheets from source/, and check that nothing leaks."""

from __future__ import annotations

import codecs
import filecmp
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import NotebookNode

from autograder import installed_course
from autograder.cells import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_HIDDEN,
    END_SOLUTION,
    grade_id,
    graded_exercise,
    region,
)
from autograder.course_folder import CONFIG, STEPS, CourseFolder, check_lesson_name
from autograder.errors import CourseError
from autograder.grading.batch import grading_lock
from autograder.grading.judging_step import is_judged_otherwise
from autograder.grading.results import read_result
from autograder.judging.keys import key_of
from autograder.release import answer_sheets
from autograder.release.validate import defects, given_away

if TYPE_CHECKING:
    from autograder.gradebook.sync import LessonChange


# A shorter line, such as `return x`, reveals nothing about a solution.
_TELLING = 12

_DROPPED = "dropped-grades"
"""The folder of the course in which the grades of dropped cells are kept."""


@dataclass(frozen=True)
class ReleaseResult:
    """The result of a release.

    Args:
        path: the students' notebook.
        change: how the lesson changed since submissions were graded; empty if there are none.
        unasked: exercises of the course that the lesson doesn't use.
        too_many: graded cells with more manual points than the cell is worth now, each with the
            number of submissions.
        kept: the file with the grades of dropped cells, if there were any.
        given_away: what students see besides the stubs.
        outdated: exercises that would be judged differently now than when they were graded.
    """

    path: Path
    change: LessonChange
    unasked: tuple[str, ...] = ()
    too_many: Mapping[str, int] = field(default_factory=dict)
    kept: Path | None = None
    given_away: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()


def release(course: CourseFolder, lesson: str, *, drop_grades: bool = False) -> ReleaseResult:
    """Generate the students' notebook with nbgrader and enter the lesson into the gradebook.

    In the source, cells with ids from JupyterLab get their grade_id as id.

    Args:
        course: the course folder.
        lesson: a lesson that has a source.
        drop_grades: whether grades in cells that the source has lost may be dropped.

    Raises:
        CourseError: when the source isn't fit for release, the result would leak something, grades
            would be lost, or somebody is grading while cells are added or dropped.
    """
    check_lesson_name(lesson)
    course.declared.names()  # whatever can't be imported is named, once
    source = read_source_notebook(course.source(lesson))
    if _give_ids(source):
        nbformat.write(source, course.source(lesson))
    _refuse(
        f"{course.source(lesson)} can't be released",
        list(defects(course, lesson, source, own=sheets_folder(course) is not None)),
    )
    before, kept = _sync_cells(course, lesson, drop_grades)
    released = course.release(lesson)
    with _kept_on_failure(released.parent):
        log = course.run("generate_assignment", lesson, force=True, create=True)
        if log is not None:
            raise CourseError(f"nbgrader could not generate {lesson}:\n{log}")
    leaks: list[str] = []
    for path in sorted(path for path in released.parent.rglob("*") if path.is_file()):
        with suppress(UnicodeDecodeError):  # a picture
            leaks += leaks_into(source, path.read_text("utf8").splitlines(), path.name)
    _refuse(f"{released} would leak solutions", leaks)
    asked = {graded_exercise(cell) for cell in source.cells}
    unasked = tuple(name for name in course.declared.names(lesson) if name not in asked)
    seen = tuple(given_away(source, course.source(lesson).parent))
    outdated = tuple(_outdated(course, lesson))
    from autograder.gradebook.queries import LessonGrades

    with _gradebook(course) as gradebook:
        above = LessonGrades(gradebook, lesson).above_maximum
    return ReleaseResult(released, before, unasked, above, kept, seen, outdated)


def _sync_cells(
    course: CourseFolder, lesson: str, drop_grades: bool
) -> tuple[LessonChange, Path | None]:
    """Add and drop cells in the gradebook as in the source."""
    from autograder.gradebook.sync import LessonCells

    sources = {
        path.stem: read_source_notebook(path)
        for path in course.source(lesson).parent.glob("*.ipynb")
    }
    with _gradebook(course) as gradebook:
        change = LessonCells(gradebook, lesson, sources).change()
    if not change.cells:
        return change, None
    lost = {cell: count for cell, count in change.dropped.items() if count}
    if lost and not drop_grades:
        told = [f"{cell}: submissions graded in it: {count}" for cell, count in lost.items()]
        raise CourseError(
            "\n  ".join(
                [f"{lesson} was released with graded cells that its source no longer has:", *told]
            )
            + "\nRestore them, or drop them with their points (which are kept in a file): "
            f"autograder release {lesson} --drop-grades"
        )
    with tempfile.TemporaryDirectory(prefix="course-release-") as scratch:
        release(copy_of(course, Path(scratch)), lesson)  # whatever is refused changes nothing
    with grading_lock(course), _gradebook(course) as gradebook:
        cells = LessonCells(gradebook, lesson, sources)
        kept = _keep_dropped(course, lesson, cells.earned(lost)) if lost else None
        cells.sync()
        gradebook.db.commit()
    return change, kept


@contextmanager
def _kept_on_failure(folder: Path) -> Iterator[None]:
    """Restore the last release: nbgrader deletes it if a new one fails."""
    with tempfile.TemporaryDirectory(prefix="course-release-") as scratch:
        before = Path(scratch) / "before"
        if folder.is_dir():
            shutil.copytree(folder, before)
        try:
            yield
        except BaseException:
            if before.is_dir():
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(before, folder)
            raise


def _outdated(course: CourseFolder, lesson: str) -> Iterator[str]:
    """Exercises in graded notebooks that would be judged differently today."""
    open_still = set(course.declared.names(lesson))
    for student in course.students(lesson):
        path = course.autograded(student, lesson)
        if not open_still or not path.is_file():
            continue
        for cell in read_result(path).cells:
            if cell.judged and cell.judged.exercise in open_still:
                open_still.remove(cell.judged.exercise)
                if is_judged_otherwise(cell.judged, course.declared, course.marking):
                    yield cell.judged.exercise


def _keep_dropped(course: CourseFolder, lesson: str, earned: Sequence[Mapping[str, Any]]) -> Path:
    """Write what is about to be dropped into a new file of the course folder."""
    path = course.root / _DROPPED / f"{lesson}-{datetime.now(UTC):%Y-%m-%dT%H%M%S}.json"
    path.parent.mkdir(exist_ok=True)
    with path.open("x", encoding="utf8") as file:
        json.dump(earned, file, indent=1)
    return path


@contextmanager
def _gradebook(course: CourseFolder) -> Iterator[Any]:
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        yield gradebook


def sheets_folder(course: CourseFolder) -> Path | None:
    """The folder of the answer sheets in the students' package.

    Returns:
        None for a course folder without the package: students' checks read the sheets of the
        package that they installed.
    """
    package = course.declared.package
    folder = course.root / package
    return folder / "answers" if package and folder.is_dir() else None


def write_sheets(course: CourseFolder, lesson: str, into: Path) -> list[Path]:
    """Write the answer sheets of a lesson's exercises into a folder.

    Sheets of exercises that were removed from the course are deleted.

    Raises:
        CourseError: when a key can't be loaded.
    """
    into.mkdir(parents=True, exist_ok=True)
    written = []
    there = course.declared.names()
    for path in into.glob("*.json"):
        if path.stem not in there:  # its exercise was removed
            path.unlink()
    for name in course.declared.names(lesson):
        path = into / f"{name}.json"
        path.write_text(answer_sheets.sheet_text(key_of(course.declared, name)), "utf8")
        written.append(path)
    return written


def stale(course: CourseFolder, lessons: Iterable[str]) -> list[str]:
    """The parts of release/ and the answer sheets that are out of date.

    Nothing in the course folder is changed.
    """
    differences = []
    with tempfile.TemporaryDirectory(prefix="course-release-") as scratch:
        copy = copy_of(course, Path(scratch))
        for lesson in lessons:
            fresh, current = release(copy, lesson).path.parent, course.release(lesson).parent
            for path in sorted(path for path in fresh.rglob("*") if path.is_file()):
                old = current / path.relative_to(fresh)
                if not old.is_file() or not filecmp.cmp(path, old, shallow=False):
                    differences.append(f"release/{lesson}/{path.relative_to(fresh)}")
            if (sheets_there := sheets_folder(course)) is None:
                continue
            for path in write_sheets(course, lesson, Path(scratch) / "answers"):
                old = sheets_there / path.name
                if not old.is_file() or not filecmp.cmp(path, old, shallow=False):
                    differences.append(f"{course.declared.package}/answers/{path.name}")
    return differences


def copy_of(course: CourseFolder, folder: Path) -> CourseFolder:
    """A course folder elsewhere with only the same sources and configuration.

    Its gradebook is a file in it, wherever the course's own is.
    """
    configured = (course.root / CONFIG).read_text("utf8")
    url = f"sqlite:///{folder.resolve() / 'gradebook.db'}"
    own = f"\nc = get_config().CourseDirectory\nc.db_url = {url!r}\n"
    own += "".join(f"c.{step}_directory = {step!r}\n" for step in STEPS)
    (folder / CONFIG).write_text(configured + own, "utf8")
    installed_course.copy_sources(course, folder)
    return CourseFolder(folder)


def leaks_into(source: NotebookNode, lines: Iterable[str], where: str) -> Iterator[str]:
    """Lines of solutions and hidden tests that occur in a text for students.

    Args:
        source: the notebook with solutions.
        lines: the text, which may be a notebook's JSON.
        where: the text's name for messages.
    """
    hidden = set(_secret_lines(source))
    for line in lines:
        bare = _bare(line)
        if any(mark in line for mark in (BEGIN_HIDDEN, BEGIN_SOLUTION)) or bare in hidden:
            yield f"{where}: {bare}"


def _secret_lines(source: NotebookNode) -> Iterator[str]:
    open_lines: set[str] = set()
    secret: set[str] = set()
    for cell in source.cells:
        inside = [
            *region(cell.source, BEGIN_SOLUTION, END_SOLUTION),
            *region(cell.source, BEGIN_HIDDEN, END_HIDDEN),
        ]
        secret.update(line.strip() for line in inside)
        counted = cell.source.splitlines()
        for line in inside:
            counted.remove(line)
        open_lines.update(line.strip() for line in counted)
    return (line for line in secret - open_lines if len(line) >= _TELLING)


def _bare(line: str) -> str:
    """The bare text of a line in a notebook's JSON or in Python."""
    text = line.strip()
    if text.startswith('"'):
        text = text.rstrip(",").strip('"').removesuffix("\\n").replace('\\"', '"')
    return text.strip()


def _give_ids(source: NotebookNode) -> bool:
    """Give cells in the file their gradebook names as ids, if these are free.

    JupyterLab generates a random id for every new cell and doesn't let users change it. Before
    nbformat 4.5, cells had none.

    Returns:
        Whether any id changed.
    """
    before = [cell.get("id") for cell in source.cells]
    if None in before:
        nbformat.v4.upgrade(source)
    taken = {cell.id for cell in source.cells}
    for cell in source.cells:
        name = grade_id(cell)
        if name and name not in taken:
            cell.id = name
            taken.add(name)
    return before != [cell.id for cell in source.cells]


def _refuse(what: str, findings: list[str]) -> None:
    if findings:
        raise CourseError("\n  ".join([f"{what}:", *sorted(findings)]))


def read_source_notebook(path: Path) -> NotebookNode:
    """Read a teacher's notebook.

    Raises:
        CourseError: when it can't be read.
    """
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:
        if path.read_bytes().startswith(codecs.BOM_UTF8):
            raise CourseError(
                f"{path} begins with a byte-order mark: save it as UTF-8 without one"
            ) from error
        raise CourseError(f"{path} cannot be read as a notebook: {error}") from error
