"""Known-wrong answers: variants of the reference, each with the hint it earns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from autograder import reference
from autograder.misconceptions import (
    attention,
    conv1d,
    documents,
    fastformer,
    preprocessing,
    transformer,
)
from autograder.misconceptions.bank import Misconception
from course.exercises import Case, Exercise
from course.verdicts import Mistake

_BANKS = {
    "preprocessing": preprocessing.bank,
    "conv1d": conv1d.bank,
    "attention": attention.bank,
    "transformer": transformer.bank,
    "documents": documents.bank,
    "fastformer": fastformer.bank,
}


def of(exercise: Exercise) -> list[Misconception]:
    """The known misconceptions about an exercise."""
    return _BANKS[exercise.name.partition(".")[0]].of(exercise.name)


def mistakes(exercise: Exercise, seed: int) -> list[Mistake]:
    """Every misconception's outputs on the cases of a seed."""
    cases = reference.cases(exercise, seed)
    return [_mistake(misconception, cases) for misconception in of(exercise)]


def pairs(exercise: Exercise, seed: int) -> Iterator[Mistake]:
    """The outputs of every two misconceptions that a student can have at once."""
    cases = reference.cases(exercise, seed)
    for both in _joined(tuple(of(exercise))):
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

    def __init__(self, variant: reference.Reference, cases: Sequence[Case]) -> None:
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


def _outputs(variant: reference.Reference, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
    """A variant's outputs, or None where its shapes do not fit."""
    try:
        return reference.outputs(variant, inputs)
    except (ValueError, IndexError):
        return None
