"""From source/ to release/ and the answer sheets, and the proof that nothing leaks on the way."""

from __future__ import annotations

import codecs
import filecmp
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import NotebookNode
from sqlalchemy import func, select

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
from autograder.grading.results import is_judged_otherwise
from autograder.judging.keys import key_of
from autograder.release import answer_sheets
from autograder.release.validate import defects, given_away

if TYPE_CHECKING:
    from autograder.gradebook.sync import LessonChange


# A shorter line, such as `return x`, says nothing about a solution.
_TELLING = 12


@dataclass(frozen=True)
class Released:
    """What a release made and changed.

    Args:
        path: the students' notebook.
        unasked: exercises of the course that the lesson does not ask for.
        change: how the lesson changed since submissions were graded; nothing where nobody handed
            it in.
        too_many: graded cells with points by hand that are more than the cell is worth now, each
            with the number of submissions.
        kept: the file with the grades of dropped cells, if there were any.
        given_away: what students see beside the stubs.
        outdated: exercises that would be judged otherwise today than when they were graded.
    """

    path: Path
    unasked: tuple[str, ...] = ()
    change: LessonChange | None = None
    too_many: Mapping[str, int] = field(default_factory=dict)
    kept: Path | None = None
    given_away: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()


def release(course: CourseFolder, lesson: str, *, drop_grades: bool = False) -> Released:
    """Generate the students' notebook with nbgrader and enter the lesson into the gradebook.

    In the source, cells that JupyterLab gave an id get their grade_id as one.

    Args:
        course: the course folder.
        lesson: a lesson that has a source.
        drop_grades: whether grades in cells that the source has lost may go.

    Raises:
        CourseError: when the source is not fit for release, the result would leak something, grades
            would go, or somebody is grading while cells are added or dropped.
    """
    check_lesson_name(lesson)
    course.declared.names()  # whatever can't be imported is named, once
    source = read_notebook(course.source(lesson))
    if _give_ids(source):
        nbformat.write(source, course.source(lesson))
    _refuse(
        f"{course.source(lesson)} is not fit for release",
        list(defects(course, lesson, source, own=sheets_folder(course) is not None)),
    )
    before, kept = _follow(course, lesson, drop_grades)
    released = course.release(lesson)
    with _kept_on_failure(released.parent):
        log = course.run("generate_assignment", lesson, force=True, create=True)
        if log is not None:
            raise CourseError(f"nbgrader could not generate {lesson}:\n{log}")
    leaks = []
    for path in sorted(path for path in released.parent.rglob("*") if path.is_file()):
        with suppress(UnicodeDecodeError):  # a picture
            leaks += leaks_into(source, path.read_text("utf8").splitlines(), path.name)
    _refuse(f"{released} would tell students what they must find out", leaks)
    asked = {graded_exercise(cell) for cell in source.cells}
    unasked = tuple(name for name in course.declared.names(lesson) if name not in asked)
    seen = tuple(given_away(source, course.source(lesson).parent))
    outdated = tuple(_outdated(course, lesson))
    return Released(released, unasked, before, _too_many(course, lesson), kept, seen, outdated)


def _follow(
    course: CourseFolder, lesson: str, drop_grades: bool
) -> tuple[LessonChange, Path | None]:
    """Have the gradebook add and drop the cells that the source added and dropped."""
    from autograder.gradebook.sync import LessonCells, keep

    sources = {
        path.stem: read_notebook(path) for path in course.source(lesson).parent.glob("*.ipynb")
    }
    with _gradebook(course) as gradebook:
        change = LessonCells(gradebook, lesson, sources).change()
    if not change.cells:
        return change, None
    lost = {cell: count for cell, count in change.dropped.items() if count}
    if lost and not drop_grades:
        cells = [f"{cell}: submissions graded in it: {count}" for cell, count in lost.items()]
        raise CourseError(
            "\n  ".join([f"{lesson} was released with graded cells that its source lost:", *cells])
            + "\nPut them back, or drop them with the points (a file keeps what everybody had): "
            f"autograder release {lesson} --drop-grades"
        )
    with tempfile.TemporaryDirectory(prefix="course-release-") as scratch:
        release(copy_of(course, Path(scratch)), lesson)  # whatever is refused changes nothing
    with grading_lock(course), _gradebook(course) as gradebook:
        cells = LessonCells(gradebook, lesson, sources)
        kept = keep(course, lesson, cells.earned(lost)) if lost else None
        cells.sync()
        gradebook.db.commit()
    return change, kept


@contextmanager
def _kept_on_failure(folder: Path) -> Iterator[None]:
    """nbgrader deletes what it released before when it can't release anew."""
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
    """Exercises that graded notebooks were judged by otherwise than they would be today."""
    open_still = set(course.declared.names(lesson))
    for student in course.students(lesson):
        path = course.autograded(student, lesson)
        if not open_still or not path.is_file():
            continue
        for cell in read_notebook(path).cells:
            if (name := graded_exercise(cell)) in open_still and cell.outputs:
                open_still.remove(name)
                if is_judged_otherwise(course, cell):
                    yield name


def _too_many(course: CourseFolder, lesson: str) -> dict[str, int]:
    """By graded cell, how many submissions have more points by hand than it is worth, and wait for
    a person because of that."""
    from nbgrader.api import Assignment, BaseCell, Grade, Notebook

    waiting = (
        select(BaseCell.name.label("name"), func.count().label("count"))
        .select_from(Grade)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(Notebook, Notebook.id == BaseCell.notebook_id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .where(Assignment.name == lesson, Grade.manual_score > Grade.max_score)
        .where(Grade.needs_manual_grade)
        .group_by(BaseCell.name)
    )
    with _gradebook(course) as gradebook:
        return {row.name: row.count for row in gradebook.db.execute(waiting)}


@contextmanager
def _gradebook(course: CourseFolder) -> Iterator[Any]:
    with course.as_working_directory(), course.quiet(), course.nbgrader.gradebook as gradebook:
        yield gradebook


def sheets_folder(course: CourseFolder) -> Path | None:
    """Where the package that students install keeps the answer sheets.

    Returns:
        None for a course folder apart from the package: students' checks read the sheets of the
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
        try:
            key = key_of(course.declared, name)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise CourseError(f"the key of {name} can't be loaded: {problem}") from error
        path.write_text(answer_sheets.write(key), "utf8")
        written.append(path)
    return written


def stale(course: CourseFolder, lessons: Iterable[str]) -> list[str]:
    """What in release/ and the answer sheets is not what the sources give today.

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
    """A course folder elsewhere with the same sources and configuration, and nothing else.

    Its gradebook is a file in it, wherever the course has its own.
    """
    configured = (course.root / CONFIG).read_text("utf8")
    url = f"sqlite:///{folder.resolve() / 'gradebook.db'}"
    own = f"\nc = get_config().CourseDirectory\nc.db_url = {url!r}\n"
    own += "".join(f"c.{step}_directory = {step!r}\n" for step in STEPS)
    (folder / CONFIG).write_text(configured + own, "utf8")
    installed_course.copy_sources(course, folder)
    return CourseFolder(folder)


def leaks_into(source: NotebookNode, lines: Iterable[str], where: str) -> Iterator[str]:
    """Lines of solutions and hidden tests that stand in a text meant for students.

    Args:
        source: the notebook with solutions.
        lines: the text; a notebook's JSON will do.
        where: what to call the text.
    """
    hidden = set(_secret_lines(source))
    for line in lines:
        bare = _bare(line)
        if any(mark in line for mark in (BEGIN_HIDDEN, BEGIN_SOLUTION)) or bare in hidden:
            yield f"{where}: {bare}"


def _secret_lines(source: NotebookNode) -> Iterator[str]:
    open_lines = set()
    secret = set()
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
    """A line of a notebook's JSON, or of Python, without what surrounds the text."""
    text = line.strip()
    if text.startswith('"'):
        text = text.rstrip(",").strip('"').removesuffix("\\n").replace('\\"', '"')
    return text.strip()


def _give_ids(source: NotebookNode) -> bool:
    """Call cells in the file what they are called in the gradebook, where nothing else is.

    JupyterLab draws an id for every new cell and has no place to change it. Before nbformat 4.5
    cells had none.

    Returns:
        Whether any was called otherwise.
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


def read_notebook(path: Path) -> NotebookNode:
    """A teacher's notebook.

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
