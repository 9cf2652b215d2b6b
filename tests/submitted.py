"""Answers as students write them, from ``tests/submissions``: their cells run, then judged."""

from pathlib import Path
from typing import Any

from autograder import audit
from autograder.audit import SEEDS
from autograder.course_folder import CourseFolder
from autograder.simulate import read_answers
from course import exercises
from course.verdicts import Verdict
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

    def verdict(self, path: Path, cell: str) -> Verdict | None:
        """The judge's word on one answer; none where the submission renames it."""
        question = self._questions[cell]
        obj = self.answered(path).get(question.object)
        if obj is None:
            return None  # it never reaches the judge; the notebook tests cover it
        return audit.judged(exercises.get(question.exercise), obj, SEEDS[0]).verdict
