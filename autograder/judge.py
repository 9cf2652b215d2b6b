"""The judge: a response and the seed of its inputs in, a verdict out. Starts without TensorFlow."""

from __future__ import annotations

from typing import Any

from autograder import misconceptions, reference
from course import exercises, responses
from course.verdicts import Verdict, observe, reach


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
    expected = reference.expected(exercise, seed)
    seen = observe(exercise, seed, answers, expected)
    mistakes, pairs = misconceptions.mistakes(exercise, seed), misconceptions.pairs(exercise, seed)
    return reach(exercise, seen, mistakes, pairs)
