"""The judge: a response and the seed of its inputs in, a verdict out. Starts without TensorFlow."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from autograder import misconceptions, reference
from course import exercises, responses
from course.texts import say
from course.verdicts import Mistake, Verdict, observe, reach

_log = logging.getLogger(__name__)


class _OurFailure(Exception):
    """Something failed that no response has a part in; the cause says what."""


def judge(name: str, seed: int, response: Any) -> Verdict:
    """Reach the verdict on a student's response.

    What the response has no part in is computed first, and its errors are the grader's. Whatever
    goes wrong while the response is examined is the response's.

    Args:
        name: the exercise that the graded cell asks for.
        seed: from which the student's process drew its inputs.
        response: parsed JSON from that process; nothing in it is trusted.

    Returns:
        A verdict; a response that cannot be read earns nothing and its verdict says why.

    Raises:
        course.exercises.UnknownExercise: when no exercise has this name.
        Exception: when the exercise, its reference or a known mistake fails, or memory runs out.
    """
    exercise = exercises.get(name)
    expected = reference.expected(exercise, seed)
    mistakes = misconceptions.mistakes(exercise, seed)
    pairs = _ours(misconceptions.pairs(exercise, seed))
    try:
        answers = responses.read(response, exercise, seed)
        return reach(exercise, observe(exercise, seed, answers, expected), mistakes, pairs)
    except responses.InvalidResponse as error:
        return Verdict(name, reason=str(error))
    except _OurFailure as error:
        raise error.__cause__ from None
    except MemoryError:  # A response is small: it is the machine that has no more.
        raise
    except Exception as error:
        _log.warning("a response to %s could not be examined", name, exc_info=True)
        failed = say(
            "unreadable response: examining it ended with {error}", error=type(error).__name__
        )
        return Verdict(name, reason=failed)


def _ours(mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
    """Known mistakes that are computed one by one while a response is examined."""
    try:
        yield from mistakes
    except Exception as error:
        raise _OurFailure from error
