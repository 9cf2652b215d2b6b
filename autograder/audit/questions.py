"""A lesson's questions, with right answers to them."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
import yaml

from autograder import installed_course
from autograder.cells import grade_id, graded_exercise, is_solution, parse_code
from autograder.course_folder import CourseFolder
from autograder.errors import CourseError
from selfcheck import Course

EQUIVALENT = "equivalent_mutants.yaml"
"""The file, in a lesson's folder of simulated students, that lists the mutants that make no
difference, by solution cell, and why."""


class Unrunnable(CourseError):
    """A cell of the lesson, or of a simulated student, can't be run."""


@dataclass(frozen=True)
class Question:
    """An exercise as a lesson asks it.

    Args:
        exercise: its name.
        cell: the grade_id of the cell that answers it.
        object: the name of the answer.
        points: the points that it's worth.
    """

    exercise: str
    cell: str
    object: str
    points: float


@dataclass(frozen=True)
class LessonQuestions:
    """A lesson's questions, with right answers.

    Args:
        course: the course of its exercises.
        name: the lesson's name.
        imports: the code that its answers depend on.
        right: the source's solutions by grade_id, in order, with the solution comments.
        questions: all questions that the judge decides, in order.
        folder: the course's.
    """

    course: Course
    name: str
    imports: str
    right: Mapping[str, str]
    questions: Sequence[Question]
    folder: CourseFolder

    @classmethod
    def read(cls, course: CourseFolder, name: str) -> LessonQuestions:
        """Read a lesson of ``source/``."""
        notebook = nbformat.read(course.source(name), as_version=4)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        imports = [
            ast.unparse(statement)
            for cell in code
            for statement in parse_code(cell.source).body
            if isinstance(statement, ast.Import | ast.ImportFrom)
        ]
        right = {
            each: cell.source for cell in code if is_solution(cell) and (each := grade_id(cell))
        }
        questions = []
        for cell in code:
            exercise = graded_exercise(cell)
            if exercise:
                points = float(cell.metadata["nbgrader"]["points"])
                answered = course.declared.get(exercise).function
                questions.append(Question(exercise, answered, _asked_for(cell.source), points))
        return cls(course.declared, name, "\n".join(imports), right, questions, course)

    @cached_property
    def answers(self) -> Path:
        """The folder with the files of answers.

        Raises:
            CourseError: when there is none.
        """
        return installed_course.simulated_class(self.folder, self.name)

    def files(self, kind: str) -> list[Path]:
        """The files of ``"right"`` or ``"wrong"`` answers."""
        return sorted(self.answers.glob(f"{kind}_*.py"))

    @cached_property
    def equivalent(self) -> dict[str, dict[str, str]]:
        """By grade_id and mutant, the reason why it makes no difference."""
        path = self.answers / EQUIVALENT
        return yaml.safe_load(path.read_text("utf8")) if path.is_file() else {}

    def names(self, label: str, changed: Mapping[str, str]) -> dict[str, Any]:
        """The names that the lesson's answers define.

        Args:
            label: for tracebacks.
            changed: by grade_id, answers other than the source's.

        Raises:
            Unrunnable: when a cell can't be run; the message says which.
        """
        names: dict[str, Any] = {"__name__": "__main__"}
        try:
            exec(self.imports, names)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise Unrunnable(f"{self.name}: its imports don't work here: {problem}") from error
        for cell, source in (dict(self.right) | dict(changed)).items():
            # As in a notebook, make the source available: AutoGraph then rewrites conditions.
            file = f"<{self.name}/{label}/{cell}>"
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
            try:
                exec(compile(source, file, "exec"), names)
            except Exception as error:
                raise Unrunnable(f"{file}: {type(error).__name__}: {error}") from error
        return names


def _asked_for(source: str) -> str:
    """A graded cell's name for the answer: the second argument of its ``grade(...)``."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    asked = next(call.args[1] for call in calls if getattr(call.func, "id", "") == "grade")
    assert isinstance(asked, ast.Name)  # lessons are validated
    return asked.id
