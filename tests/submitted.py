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
        self._lesson = audit.Lesson.read(CourseFolder(REPOSITORY), name)
        self._questions = {question.cell: question for question in self._lesson.questions}
        self.points = {cell: question.points for cell, question in self._questions.items()}
        self.files = self._lesson.files

    def answered(self, path: Path) -> dict[str, Any]:
        """The names a submission's cells define, over right answers where it leaves cells out."""
        answers = read_answers(path)
        return self._lesson.names(answers.student, answers.cells)

    def verdicts(self, path: Path, cell: str, seeds: tuple[int, ...]) -> list[Verdict]:
        """The judge's word on one answer, once a seed; none where the submission renames it."""
        question = self._questions[cell]
        obj = self.answered(path).get(question.object)
        if obj is None:
            return []  # it never reaches the judge; the notebook tests cover it
        exercise = exercises.get(question.exercise)
        return [audit.judged(exercise, obj, seed).verdict for seed in seeds]

    def assert_right(self, path: Path, cell: str) -> None:
        """The answer earns everything; one that builds a whole classifier, on one seed.

        ``autograder audit`` judges all of them on all seeds.
        """
        seeds = SEEDS[:1] if cell.startswith("build_") else SEEDS[::2]
        verdicts = self.verdicts(path, cell, seeds)
        assert verdicts
        for verdict in verdicts:
            assert verdict.percent == 100, verdict.to_text()

    def assert_wrong_as_stated(self, path: Path) -> None:
        """Every answer for which the file states points earns these, for the stated reason.

        One seed will do: that a mistake costs the same whatever the seed is tested of every known
        one, without the seconds that building a student's layers takes.
        """
        stated = read_answers(path).expected
        assert stated
        for cell, expectation in stated.items():
            for verdict in self.verdicts(path, cell, SEEDS[:1]):
                assert verdict.points(self.points[cell]) == expectation["points"], verdict.to_text()
                if "reason" in expectation:
                    assert expectation["reason"] in verdict.explanation
                else:
                    assert audit.names_the_cause(verdict, expectation), verdict.to_text()
