"""What known mistakes give on an exercise's cases, alone and in pairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from autograder.judging import solutions
from autograder.judging.edits import EditError
from autograder.judging.keys import Key, Misconception
from selfcheck import Case
from selfcheck.verdicts import Mistake


def mistakes(key: Key, seed: int) -> list[Mistake]:
    """Every misconception's outputs on the cases of a seed."""
    cases = solutions.cases(key.exercise, seed)
    return [_mistake(misconception, cases) for misconception in key.misconceptions]


def pairs(key: Key, seed: int) -> Iterator[Mistake]:
    """The outputs of every two misconceptions that a student can have at once."""
    cases = solutions.cases(key.exercise, seed)
    for both in _joined(tuple(key.misconceptions)):
        yield _mistake(both, cases)


@cache
def _joined(known: tuple[Misconception, ...]) -> list[Misconception]:
    """Every two misconceptions that a student can have at once."""
    return [one.joined(two) for one, two in itertools.combinations(known, 2) if one.fits(two)]


def _mistake(misconception: Misconception, cases: Sequence[Case]) -> Mistake:
    return Mistake(
        misconception.name, misconception.hints, _OutputsByCase(misconception.variant, cases)
    )


class _OutputsByCase(Mapping[str, dict[str, Any] | None]):
    """A variant's outputs by case name, computed when they are asked for: most mistakes are ruled
    out by the first case."""

    def __init__(self, variant: solutions.Solution, cases: Sequence[Case]) -> None:
        self._variant = variant
        self._cases = {case.name: case for case in cases}
        self._computed: dict[str, dict[str, Any] | None] = {}

    def __getitem__(self, name: str) -> dict[str, Any] | None:
        if name not in self._computed:
            self._computed[name] = _outputs(self._variant, self._cases[name].inputs)
        return self._computed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cases)

    def __len__(self) -> int:
        return len(self._cases)

    def __contains__(self, name: object) -> bool:
        return name in self._cases


def _outputs(variant: solutions.Solution, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
    """A variant's outputs, or None where its shapes do not fit."""
    try:
        return solutions.outputs(variant, inputs)
    except EditError:  # a ValueError, too, but the teacher's
        raise
    except (ValueError, IndexError):
        return None
