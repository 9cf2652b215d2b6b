"""Answers with two known mistakes at once, made from the key: do both cost points?"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.audit.trivial import matching
from autograder.judging import solutions
from autograder.judging.judge import judge, response_of
from autograder.judging.keys import Key, KnownMistake, key_of
from autograder.judging.mistakes import OutputsByCase
from selfcheck import Course, Observation
from selfcheck.equality import same_value
from selfcheck.explaining import TOGETHER
from selfcheck.responses import read
from selfcheck.verdicts import observe

PER_EXERCISE = 14
"""The number of pairs to draw; some turn out to show only one of the two mistakes."""

LEAST = 0.9
"""The minimum share of pairs that must be recognized as two mistakes."""

SEED = 4321
_POINTS = 10
"""Tolerated difference, in percent, between a pair's loss and the sum of both losses."""


def judge_pairs(course: Course, name: str) -> list[tuple[str, bool]]:
    """Judge pairs of an exercise's known mistakes.

    A pair isn't counted if nobody could see both mistakes: if it gives the same as one of the two,
    the right result, or something that needs no computation, such as the inputs.

    Args:
        course: the course.
        name: the exercise's name.

    Returns:
        The names of each pair, and whether both are named or cost as much as both.
    """
    key = key_of(course, name)
    expected = solutions.expected(key.exercise, key.solution, SEED)
    right: dict[str, Mapping[str, Any] | None] = {
        case: entry.outputs for case, entry in expected.items()
    }
    found = []
    for one, two in _drawn(key):
        outputs, *others = (_outputs(key, made) for made in (one.joined(two), one, two))
        failure = next(iter(matching(one.joined(two).failure)), "")
        response = response_of(name, outputs, failure)
        seen = observe(key.exercise, SEED, read(response, key.exercise, SEED), expected)
        if any(_same(key, outputs, other) for other in (*others, right)) or not seen.takes_work:
            continue
        verdict, first, second = (
            judge(course, name, SEED, response_of(name, each, failure))
            for each in (outputs, *others)
        )
        named = {part for made in verdict.mistakes for part in made.split(TOGETHER)}
        lost = min(100, 200 - first.percent - second.percent)
        both = named == {one.name, two.name} or abs(100 - verdict.percent - lost) <= _POINTS
        found.append((f"{one.name} and {two.name}: {verdict.percent} % left", both))
    return found


def _drawn(key: Key) -> Iterator[tuple[KnownMistake, KnownMistake]]:
    """The same ones in every run."""
    both = itertools.combinations(key.mistakes, 2)
    fitting = [(one, two) for one, two in both if one.fits(two)]
    yield from random.Random(SEED).sample(fitting, min(PER_EXERCISE, len(fitting)))


def _outputs(key: Key, made: KnownMistake) -> dict[str, Mapping[str, Any] | None]:
    return dict(OutputsByCase(made, solutions.cases(key.exercise, SEED)))


def _same(key: Key, outputs: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    expected = solutions.expected(key.exercise, key.solution, SEED)
    for name, case in solutions.cases(key.exercise, SEED).items():
        given, other = outputs[name], others[name]
        if given is None or other is None:
            if given is not other:
                return False
            continue
        observation = Observation(case, expected[name], given)
        if given.keys() != other.keys() or not all(
            same_value(output, given[output], other[output], observation) for output in given
        ):
            return False
    return True
