"""Grade the same submissions with plain nbgrader and with this autograder, in temporary folders."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from autograder.cells import grade_id
from autograder.course_folder import CONFIG, CourseFolder
from autograder.errors import CourseError
from autograder.grading.batch import grade
from autograder.release.generate import copy_of
from selfcheck.responses import printable

_BY_ITSELF = "import autograder.configuration as ours\nours.configure = lambda c: None\n"
"""Put before a configuration, so that nbgrader's own steps run with all that the teacher sets."""


@dataclass(frozen=True)
class Difference:
    """A cell that earns different points.

    Args:
        student: the student's id.
        cell: its notebook and its grade_id.
        stock: the points from nbgrader and the cell's output; "" if nbgrader gave none.
        ours: the same from this autograder.
    """

    student: str
    cell: str
    stock: str
    ours: str


def compare(course: CourseFolder, lesson: str, students: Sequence[str]) -> Iterator[Difference]:
    """Grade submissions twice, in copies of the course; nothing in the course changes.

    nbgrader executes them without a sandbox.

    Args:
        course: the course folder.
        lesson: any folder in its ``source/``.
        students: ids of those whose submissions are graded.

    Raises:
        CourseError: when the lesson cannot be released or graded.
    """
    with tempfile.TemporaryDirectory(prefix="course-compare-") as scratch:
        ours, stock = (_copy(course, lesson, students, Path(scratch, name)) for name in ("a", "b"))
        if problem := ours.run("generate_assignment", lesson):
            raise CourseError(f"nbgrader cannot release {lesson}: {problem}")
        problems = {row.student: row.problem for row in grade(ours, lesson, students)}
        config = stock.root / CONFIG
        config.write_text(_BY_ITSELF + config.read_text("utf8"), "utf8")
        logs = [_nbgrader(stock, step, lesson) for step in ("generate_assignment", "autograde")]
        if not (first := _scores(stock, lesson)):
            raise CourseError(f"nbgrader couldn't grade any of these submissions:\n{logs[-1]}")
        second = _scores(ours, lesson)
        for key in sorted(first.keys() | second.keys()):
            if first.get(key) != second.get(key):
                student, notebook, cell = key
                ending = problems.get(student) or _left(ours, lesson, *key)
                yield Difference(
                    student,
                    f"{notebook}/{cell}",
                    _in_words(first.get(key), _left(stock, lesson, *key)),
                    _in_words(second.get(key), ending),
                )


def _copy(course: CourseFolder, lesson: str, students: Sequence[str], folder: Path) -> CourseFolder:
    folder.mkdir()
    copy = copy_of(course, folder)
    for student in students:
        shutil.copytree(
            course.submitted(student, lesson), copy.submitted(student, lesson), symlinks=True
        )
    return copy


def _nbgrader(course: CourseFolder, step: str, lesson: str) -> str:
    """Run an nbgrader command in its own process and return its output. It exits with an error if
    a single submission fails, which counts as a difference like any other."""
    command = [sys.executable, "-m", "nbgrader", step, lesson]
    done = subprocess.run(
        command, cwd=course.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.stdout


def _scores(course: CourseFolder, lesson: str) -> dict[tuple[str, str, str], float | None]:
    """The points from the tests, by student, notebook and grade_id."""
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        return {
            (submission.student_id, notebook.name, grade.name): grade.auto_score
            for submission in gradebook.find_assignment(lesson).submissions
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


def _left(course: CourseFolder, lesson: str, student: str, notebook: str, cell: str) -> str:
    """The error in an executed cell, or another reason for which nbgrader takes points off."""
    path = course.autograded(student, lesson, notebook)
    if not path.is_file():
        return "not graded"
    outputs = [
        output
        for each in nbformat.read(path, as_version=4).cells
        if grade_id(each) == cell
        for output in each.get("outputs", [])
    ]
    for output in outputs:
        if output.output_type == "error":
            return f"{output.ename}: {output.evalue}"
        if output.get("name") == "stderr":
            return f"it wrote to stderr: {output.text}"
    return "no error"


def _in_words(score: float | None, ending: str) -> str:
    points = "nothing" if score is None else f"{score:g}"
    said, _, _ = ending.strip().partition("\n")
    return f"{points} ({printable(said)[:200]})"
