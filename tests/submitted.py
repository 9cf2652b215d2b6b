"""Answers as students write them, from ``tests/submissions``: what their cells define."""

from pathlib import Path
from typing import Any

from autograder import audit
from autograder.course_folder import CourseFolder
from autograder.simulate import read_answers
from tests.conftest import REPOSITORY


class Lesson:
    """One lesson's submissions.

    Args:
        name: the lesson.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._lesson = audit.Lesson.read(CourseFolder(REPOSITORY), name)
        self._questions = {question.cell: question for question in self._lesson.questions}
        self.points = {cell: question.points for cell, question in self._questions.items()}
        self.files = self._lesson.files

    def answered(self, path: Path) -> dict[str, Any]:
        """The names a submission's cells define, over right answers where it leaves cells out."""
        answers = read_answers(path)
        return self._lesson.names(answers.student, answers.cells)
