"""Take one lesson from its source to feedback, in a course folder made for the demonstration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from autograder import installed_course
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from autograder.grading.batch import grade
from autograder.grading.results import SubmissionRow
from autograder.kernels import sandbox
from autograder.release.generate import copy_of, release, sheets_folder
from autograder.simulate import FULL_MARKS, NO_MARKS, UNANSWERED, read_expected, simulate

A_FEW = 8
"""The number of students to simulate, unless all of them are asked for."""

RESULTS = "results"
"""The id of the cell in which a lesson shows its table of results."""


@dataclass(frozen=True)
class Demo:
    """The result of the demonstration.

    Args:
        course: the folder, with everything in it.
        rows: one per simulated student.
        results: the lesson's own table, if the lesson was run in full.
        surprises: verdicts that differ from what the simulated student's file states.
    """

    course: CourseFolder
    rows: tuple[SubmissionRow, ...]
    results: str
    surprises: tuple[str, ...]


def demo(
    origin: CourseFolder,
    lesson: str,
    into: Path,
    source: str,
    report: Callable[[str], None],
    progress: Callable[[SubmissionRow, int], None],
    everybody: bool = False,
) -> Demo:
    """Run the demonstration.

    Args:
        origin: the course whose sources and simulated answers are used; it is not changed.
        lesson: the lesson.
        into: an empty folder for the course that the demonstration makes.
        source: ``sample`` or ``real``; for real data the lesson is also run in full.
        report: called with a line as each step begins.
        progress: called with each row as it's ready, and the total number.
        everybody: simulate all students for whom the course has answers, not only a few.

    Raises:
        CourseError: when the lesson isn't released yet, or a step or the lesson's own notebook
            fails.
    """
    _refuse_without_sheets(origin, lesson)
    installed_course.make_empty(into)
    course = copy_of(origin, into)
    results = ""
    if source == "real":
        report(f"Running {lesson} in full on the real data; training takes a minute or two")
        results = run_in_full(course, lesson)
    report(f"Releasing {lesson} to release/")
    release(course, lesson)
    report("Simulating a class in submitted/")
    answers = installed_course.simulated_class(origin, lesson)
    students = simulate(course, lesson, answers, None if everybody else A_FEW)
    report(f"Grading {len(students)} submissions, each in a kernel of its own")
    rows = []
    if problem := sandbox.problem():
        report(f"Without a sandbox, as these are our own answers: {problem}")
    for row in grade(course, lesson, students, sandbox="none" if problem else None):
        rows.append(row)
        progress(row, len(students))
    report("Writing feedback pages to feedback/")
    log = course.run("generate_feedback", lesson)
    if log is not None:
        raise CourseError(f"nbgrader could not write the feedback:\n{log}")
    rows.sort(key=lambda row: students.index(row.student))
    return Demo(course, tuple(rows), results, tuple(_surprises(rows, answers)))


def _refuse_without_sheets(course: CourseFolder, lesson: str) -> None:
    """Refuse a lesson that isn't released: the students' package contains the answer sheets."""
    folder = sheets_folder(course)
    if not folder:
        return
    for name in course.declared.names(lesson):
        if not (folder / f"{name}.json").is_file():
            raise CourseError(
                f"{folder} has no answer sheet for {name}: run `autograder release {lesson}` first."
            )


def _surprises(rows: Iterable[SubmissionRow], answers: Path) -> Iterator[str]:
    """Compare the verdicts with what the simulated students' files state."""
    for row in rows:
        path = answers / f"{row.student}.py"
        stated = read_expected(path) if path.is_file() else {}
        otherwise = NO_MARKS if row.student == UNANSWERED else FULL_MARKS
        if row.problem:
            yield f"{row.student} was not graded: {row.problem}"
        for score in row.scores:
            if score.verdict is None:
                continue
            cause = stated.get(score.cell.removeprefix("test_"), otherwise)
            for difference in cause.differences(score.verdict):
                yield f"{row.student}, {score.cell}: {difference}"


def run_in_full(course: CourseFolder, lesson: str) -> str:
    """Execute a lesson's solution on real data at full size; return the table of results that it
    prints, or "" if it has none.

    The executed notebook is kept in ``lessons/``.

    Raises:
        CourseError: when a cell fails, except graded cells, which need a judge.
    """
    notebook = nbformat.read(course.source(lesson), as_version=4)
    folder = course.root / "lessons"
    folder.mkdir(exist_ok=True)
    client = NotebookClient(
        notebook,
        timeout=None,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    environment = os.environ | course.declared.full_size
    # Graded cells are tagged raises-exception, so only other cells stop the run.
    try:
        client.execute(env=environment, stdout=DEVNULL, stderr=DEVNULL)
    except CellExecutionError as error:
        raise CourseError(
            f"{lesson} did not run through; {folder / lesson}.ipynb holds the traceback.\n"
            f"{error.ename}: {error.evalue}"
        ) from error
    finally:
        nbformat.write(notebook, folder / f"{lesson}.ipynb")
    cell = next((cell for cell in notebook.cells if cell.id == RESULTS), None)
    outputs = cell.outputs if cell else []
    return "".join(output.get("text") or _displayed(output) for output in outputs).strip()


def _displayed(output: NotebookNode) -> str:
    """A table as text; "" for the explanations that a cell displays, which aren't HTML."""
    data = output.get("data", {})
    return f"{data['text/plain']}\n" if "text/html" in data else ""
