"""The judge: a response and the seed of its inputs in, a verdict out."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from threadpoolctl import ThreadpoolController

from autograder.judging import mistakes as known_mistakes
from autograder.judging import solutions
from autograder.judging.keys import key_of
from selfcheck import Course, Expected, responses
from selfcheck.texts import say
from selfcheck.verdicts import Mistake, Verdict, observe, reach

_log = logging.getLogger(__name__)

_threads = ThreadpoolController()


class _OurFailure(Exception):
    """Something failed that no response has a part in; the cause says what."""


# Threads cost more than they save on small matrices: four times as much while kernels are busy.
@_threads.wrap(limits=1, user_api="blas")
def judge(course: Course, name: str, seed: int, response: Any) -> Verdict:
    """Reach the verdict on a student's response.

    What the response has no part in is computed first, and its errors are the grader's. What goes
    wrong while the response is examined is the response's, unless responses that are known to be
    right and wrong cannot be examined either.

    Args:
        course: whose exercise it is.
        name: the exercise that the graded cell asks for.
        seed: from which the student's process drew its inputs.
        response: parsed JSON from that process; nothing in it is trusted.

    Returns:
        A verdict; a response that cannot be read earns nothing and its verdict says why.

    Raises:
        UnknownExercise: when no exercise has this name.
        Exception: when the exercise, its solution, a known mistake or the judge itself fails, or
            memory runs out.
    """
    key = key_of(course, name)
    exercise = key.exercise
    expected = solutions.expected(exercise, key.solution, seed)
    mistakes = known_mistakes.mistakes(key, seed)

    def examine(given: Any) -> Verdict | Exception:
        """The verdict, or what went wrong with what was given."""
        try:
            answers = responses.read(given, exercise, seed)
            pairs = _ours(known_mistakes.pairs(key, seed))
            seen = observe(exercise, seed, answers, expected)
            return reach(exercise, seen, mistakes, pairs, course.causes)
        except responses.InvalidResponse as error:
            return Verdict(name, reason=str(error))
        except _OurFailure as error:
            raise error.__cause__ from None
        except MemoryError:  # A response is small: it is the machine that has no more.
            raise
        except Exception as error:
            return error

    verdict = examine(response)
    if isinstance(verdict, Exception):
        for known in _known_responses(name, expected, mistakes):
            if isinstance(failure := examine(known), Exception):
                raise failure
        verdict = examine(response)  # it trips again if it is the response's
    if isinstance(verdict, Exception):
        _log.warning("a response to %s could not be examined", name, exc_info=verdict)
        failed = say(
            "unreadable response: reading it failed with {error}", error=type(verdict).__name__
        )
        return Verdict(name, reason=failed)
    return verdict


def _known_responses(
    name: str, expected: Mapping[str, Expected], mistakes: Sequence[Mistake]
) -> Iterator[dict[str, Any]]:
    """A right response, and a response that makes a known mistake."""
    right = {case: entry.outputs for case, entry in expected.items()}
    for outputs in (right, *(right | dict(mistake.outputs) for mistake in mistakes[:1])):
        yield {
            "exercise": name,
            "cases": {case: _handed_over(values) for case, values in outputs.items()},
        }


def _handed_over(outputs: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a kernel hands over of a case; None stands for one that fails."""
    if outputs is None:
        return {"failure": {"kind": "ValueError", "message": ""}}
    return {"outputs": {name: responses.encode(value) for name, value in outputs.items()}}


def _ours(mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
    """Known mistakes that are computed one by one while a response is examined."""
    try:
        yield from mistakes
    except Exception as error:
        raise _OurFailure from error
