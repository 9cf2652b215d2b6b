"""The judge: a response and the seed of its inputs in, a verdict out. Starts without TensorFlow."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from autograder import misconceptions, reference
from course import exercises, responses
from course.exercises import Expected
from course.verdicts import Mistake, Verdict, reach


def judge(name: str, seed: int, response: Any) -> Verdict:
    """Reach the verdict on a student's response.

    Args:
        name: the exercise that the graded cell asks for.
        seed: from which the student's process drew its inputs.
        response: parsed JSON from that process; nothing in it is trusted.

    Returns:
        A verdict; a response that cannot be read earns nothing and its verdict says why.

    Raises:
        course.exercises.UnknownExercise: when no exercise has this name.
    """
    exercise = exercises.get(name)
    try:
        answers = responses.read(response, exercise, seed)
    except responses.InvalidResponse as error:
        return Verdict(name, reason=str(error))
    return reach(exercise, seed, answers, *_right_and_wrong(name, seed))


@lru_cache(maxsize=64)
def _right_and_wrong(name: str, seed: int) -> tuple[dict[str, Expected], list[Mistake]]:
    exercise = exercises.get(name)
    return reference.expected(exercise, seed), misconceptions.mistakes(exercise, seed)
