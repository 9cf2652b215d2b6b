"""From source/ to release/ and the answer sheets, and the proof that nothing leaks on the way."""

from __future__ import annotations

import filecmp
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import NotebookNode
from sqlalchemy import func, select

from autograder import bundled, sheets
from autograder.cells import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_HIDDEN,
    END_SOLUTION,
    calls,
    grade_id,
    graded_exercise,
    is_autograded,
    is_solution,
    region,
)
from autograder.course_folder import CONFIG, CourseError, CourseFolder
from autograder.grading.batch import alone
from course import exercises

if TYPE_CHECKING:
    from autograder.grading.lesson_cells import LessonChange


def _is_graded(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


# What nbgrader clears for students, by the words it looks for (in nbgrader.preprocessors,
# ClearSolutions and ClearHiddenTests), and where alone it does so.
_REGIONS = (
    ("BEGIN SOLUTION", "END SOLUTION", is_solution, "a solution"),
    ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS", _is_graded, "autograder tests"),
)
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
    """

    path: Path
    unasked: tuple[str, ...] = ()
    change: LessonChange | None = None
    too_many: Mapping[str, int] = field(default_factory=dict)
    kept: Path | None = None


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
    source = _read(course.source(lesson))
    if _give_ids(source):
        nbformat.write(source, course.source(lesson))
    _refuse(f"{course.source(lesson)} is not fit for release", list(_defects(source)))
    before, kept = _follow(course, lesson, drop_grades)
    log = course.run("generate_assignment", lesson, force=True, create=True)
    if log is not None:
        raise CourseError(f"nbgrader could not generate {lesson}:\n{log}")
    released = course.release(lesson)
    leaks = list(leaks_into(source, released.read_text("utf8").splitlines(), released.name))
    _refuse(f"{released} would tell students what they must find out", leaks)
    asked = {graded_exercise(cell) for cell in source.cells}
    unasked = tuple(name for name in exercises.names(lesson) if name not in asked)
    return Released(released, unasked, before, _too_many(course, lesson), kept)


def _follow(
    course: CourseFolder, lesson: str, drop_grades: bool
) -> tuple[LessonChange, Path | None]:
    """Have the gradebook add and drop the cells that the source added and dropped."""
    from autograder.grading.lesson_cells import LessonCells, keep

    sources = {path.stem: _read(path) for path in course.source(lesson).parent.glob("*.ipynb")}
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
    with alone(course), _gradebook(course) as gradebook:
        cells = LessonCells(gradebook, lesson, sources)
        kept = keep(course, lesson, cells.earned(lost)) if lost else None
        cells.follow()
        gradebook.db.commit()
    return change, kept


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


def sheets_folder(course: CourseFolder) -> Path:
    """Where the package that students install keeps the answer sheets, in a checkout."""
    return course.root / "course" / "answers"


def write_sheets(course: CourseFolder, lesson: str) -> list[Path]:
    """Write the answer sheets of a lesson's exercises."""
    written = []
    for name in exercises.names(lesson):
        path = sheets_folder(course) / f"{name}.json"
        path.write_text(sheets.write(name), "utf8")
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
            if not sheets_folder(course).is_dir():
                continue
            sheets_folder(copy).mkdir(parents=True, exist_ok=True)
            for path in write_sheets(copy, lesson):
                old = sheets_folder(course) / path.name
                if not old.is_file() or not filecmp.cmp(path, old, shallow=False):
                    differences.append(f"course/answers/{path.name}")
    return differences


def copy_of(course: CourseFolder, folder: Path) -> CourseFolder:
    """A course folder elsewhere with the same sources and configuration, and nothing else.

    Its gradebook is a file in it, wherever the course has its own.
    """
    configured = (course.root / CONFIG).read_text("utf8")
    url = f"sqlite:///{folder.resolve() / 'gradebook.db'}"
    own = f"\nget_config().CourseDirectory.db_url = {url!r}\n"
    (folder / CONFIG).write_text(configured + own, "utf8")
    bundled.copy_sources(course, folder)
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

    JupyterLab draws an id for every new cell and has no place to change it.

    Returns:
        Whether any was called otherwise.
    """
    before = [cell.id for cell in source.cells]
    taken = set(before)
    for cell in source.cells:
        name = grade_id(cell)
        if name and name not in taken:
            cell.id = name
            taken.add(name)
    return before != [cell.id for cell in source.cells]


def _defects(source: NotebookNode) -> Iterator[str]:
    """What keeps a source notebook from being released."""
    seen: dict[str, str] = {}
    solutions = {grade_id(cell) for cell in source.cells if not is_autograded(cell)}
    for cell in source.cells:
        if cell.cell_type == "code" and cell.outputs:
            yield f"cell {cell.id} has outputs: strip them (nbstripout --keep-id)"
        name = grade_id(cell)
        if name is not None and cell.id != name:
            yield f"cell {name}: its id is {cell.id!r}; it must equal the grade_id"
        for begin, end, may_have, kind in _REGIONS:
            marks = re.findall(f"{begin}|{end}", cell.source)
            if begin in marks and not may_have(cell):
                yield (
                    f"cell {cell.id} has ### {begin} and isn't marked as {kind}: mark it so under "
                    "Create Assignment in JupyterLab, or remove the line"
                )
            elif marks != [begin, end] * (len(marks) // 2):
                yield f"cell {cell.id}: ### {begin} and ### {end} must come in pairs"
        if not is_autograded(cell) or ("grade(" not in cell.source and not calls(cell, "check")):
            continue
        exercise, checked = graded_exercise(cell), calls(cell, "check")
        for called in {exercise, *checked} - {None}:
            try:
                exercises.get(called)
            except exercises.UnknownExercise as error:
                yield f"cell {name}: {error}"
        if exercise is None or checked != [exercise] or len(calls(cell, "grade")) != 1:
            yield f"cell {name}: check() and grade() must name the same exercise, once each"
        elif (function := exercise.rpartition(".")[2]) not in solutions:
            yield f"cell {name}: no solution cell has the grade_id {function!r}"
        elif name != f"test_{function}":
            yield f"cell {name}: the graded cell of {exercise} is called test_{function}"
        if exercise in seen:
            yield f"cell {name}: {exercise} is graded in cell {seen[exercise]} already"
        elif exercise:
            seen[exercise] = name


def _refuse(what: str, findings: list[str]) -> None:
    if findings:
        raise CourseError("\n  ".join([f"{what}:", *sorted(findings)]))


def _read(path: Path) -> NotebookNode:
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:
        raise CourseError(f"{path} cannot be read as a notebook: {error}") from error
