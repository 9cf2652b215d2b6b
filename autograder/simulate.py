"""A class of submissions: the released notebook, answered rightly, wrongly or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbformat import NotebookNode

from autograder.cells import BEGIN_SOLUTION, END_SOLUTION, grade_id, is_solution
from autograder.course_folder import CourseError, CourseFolder

REFERENCE, UNANSWERED = "reference", "unanswered"


@dataclass(frozen=True)
class Answers:
    """One simulated student's answers, as written in a file of ``bundled.simulated_class``.

    The file is Python in the percent format with one cell for each answer, named by its
    ``grade_id``; cells it leaves out are answered as in the source. A YAML header may say what the
    submission must earn.

    Args:
        student: the file's name.
        cells: source code by grade_id.
        expected: by exercise, ``points`` and the ``mistake``, ``relation`` or ``reason`` that the
            verdict names; full points where left out.
    """

    student: str
    cells: Mapping[str, str]
    expected: Mapping[str, Mapping[str, object]]


def read_answers(path: Path) -> Answers:
    """Read a simulated student's file.

    Raises:
        CourseError: when a cell has no grade_id, or two have the same.
    """
    notebook = jupytext.read(path, fmt="py:percent")
    header: dict = {}
    cells: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "raw":
            header = yaml.safe_load(cell.source.strip().strip("-")) or {}
            continue
        name = cell.metadata.get("grade_id")
        if name is None or name in cells:
            problem = "has no grade_id" if name is None else f"repeats the grade_id {name!r}"
            raise CourseError(f'{path}: a cell {problem}; write # %% grade_id="..." above each')
        cells[name] = cell.source
    return Answers(path.stem, cells, header.get("expected", {}))


def simulate(course: CourseFolder, lesson: str, answers: Path) -> list[str]:
    """Fill ``submitted/`` with a class: the reference, an unanswered notebook, one student a file.

    Args:
        course: the course folder, in which the lesson has been released.
        lesson: the lesson.
        answers: the folder with the files, percent format.

    Returns:
        The students' names.

    Raises:
        CourseError: when the lesson is not released, or a file answers a cell it does not have.
    """
    if not course.release(lesson).is_file():
        raise CourseError(f"{lesson} is not released: run `autograder release {lesson}` first.")
    if not answers.is_dir():
        raise CourseError(f"There is no folder {answers} with simulated students' answers.")
    unanswered = nbformat.read(course.release(lesson), as_version=4)
    source = nbformat.read(course.source(lesson), as_version=4)
    right = {grade_id(cell): _unmarked(cell.source) for cell in source.cells if is_solution(cell)}
    submissions = {REFERENCE: right, UNANSWERED: {}}
    for path in sorted(answers.glob("*.py")):
        student = read_answers(path)
        unknown = sorted(set(student.cells) - set(right))
        if unknown:
            raise CourseError(f"{path}: {lesson} has no solution cell {', '.join(unknown)}")
        submissions[student.student] = right | dict(student.cells)
    for student, cells in submissions.items():
        folder = course.submitted(student, lesson)
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(_filled(unanswered, cells), folder / f"{lesson}.ipynb")
    return list(submissions)


def _unmarked(source: str) -> str:
    """A solution without the marks around it, as a student would have written it."""
    marks = (BEGIN_SOLUTION, END_SOLUTION)
    return "\n".join(line for line in source.splitlines() if line.strip() not in marks)


def _filled(release: NotebookNode, cells: Mapping[str | None, str]) -> NotebookNode:
    """The students' notebook with answers put into its solution cells."""
    notebook = nbformat.from_dict(release)
    for cell in notebook.cells:
        if is_solution(cell) and grade_id(cell) in cells:
            cell.source = cells[grade_id(cell)]
    return notebook
