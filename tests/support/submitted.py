"""Answers as students write them, from ``tests/submissions``: what their cells define."""

from pathlib import Path
from typing import Any

from autograder.audit import questions
from autograder.course_folder import CourseFolder
from autograder.simulate import Stated, read_answers, read_expected
from course import COURSE
from tests.conftest import REPOSITORY


def worth(stated: Stated, exercise: str, maximum: float) -> float:
    """The points of an answer of which this is stated."""
    aspects = COURSE.get(exercise).aspects
    held = [x.percent for x in aspects if stated.fails is not None and x.title not in stated.fails]
    return round(sum(held) * maximum / 100, 6)


class Lesson:
    """One lesson's submissions.

    Args:
        name: the lesson.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._lesson = questions.LessonQuestions.read(CourseFolder(REPOSITORY), name)
        self._questions = {question.cell: question for question in self._lesson.questions}
        self.points = {cell: question.points for cell, question in self._questions.items()}
        self.files = self._lesson.files

    def worth(self, path: Path) -> dict[str, float]:
        """By cell, the points of answers of which something is stated."""
        return {
            cell: worth(stated, self._questions[cell].exercise, self.points[cell])
            for cell, stated in read_expected(path).items()
        }

    def answered(self, path: Path) -> dict[str, Any]:
        """The names a submission's cells define, over right answers where it leaves cells out."""
        answers = read_answers(path, self._lesson.right)
        return self._lesson.names(answers.student, answers.cells)
