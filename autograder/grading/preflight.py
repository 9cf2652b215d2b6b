"""Check whether a lesson's exercises can be judged here, before any student's code runs.

Only the grader's own parts are checked: its answer sheets, its exercises, its language. Kernels
have no influence, so no submission can make itself "not graded" this way.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.errors import CourseError
from autograder.judging import proof
from autograder.judging.keys import key_of
from autograder.sanitize.source import read_source
from autograder.sanitize.submission import first_line
from selfcheck import Course, UnknownExercise, sheets
from selfcheck.texts import UnknownLanguage, language


class NotReady(Exception):
    """A lesson can't be judged here; the message tells the instructor why."""


def check_readiness(course: Course, notebooks: Iterable[Path]) -> None:
    """Check that every exercise of a lesson has what its check and its judge need.

    Args:
        course: whose exercises they ask for.
        notebooks: the lesson's, with solutions.

    Raises:
        NotReady: when an exercise, its answer sheet or the language is missing or broken.
    """
    names = sorted(set().union(*(read_source(path).exercises for path in notebooks)))
    if not names:
        return  # another course's: its cells have tests of their own
    try:
        language()
        for name in names:
            _check_exercise(course, name)
    except (UnknownExercise, UnknownLanguage) as error:
        raise NotReady(str(error)) from None


def _check_exercise(course: Course, name: str) -> None:
    try:
        key = key_of(course, name)
        exercise = key.exercise
        cases = exercise.cases(sheets.PUBLISHED_SEED)
        problem = next(proof.problems(key), "")
    except UnknownExercise:
        raise
    except CourseError as error:
        raise NotReady(first_line(error)) from error
    except Exception as error:
        reason = f"{type(error).__name__}: {first_line(error)}"
        raise NotReady(f"{name} cannot be judged here: {reason}") from error
    if problem:
        raise NotReady(f"{name} cannot be judged here: {problem}")
    try:
        expected, *_ = sheets.load(course.answers, exercise)
        lacking = [case.name for case in cases if set(expected[case.name].outputs) == set()]
    except Exception as error:
        reason = f"{type(error).__name__}: {first_line(error)}"
        raise NotReady(
            f"the answer sheet of {exercise.name} cannot be read ({reason}): "
            f"`autograder release {exercise.lesson}` writes it"
        ) from error
    if lacking:
        raise NotReady(
            f"the answer sheet of {exercise.name} has no entry for {', '.join(lacking)}: "
            f"`autograder release {exercise.lesson}` writes it"
        )
