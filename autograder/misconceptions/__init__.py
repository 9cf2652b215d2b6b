"""Known-wrong answers: variants of the reference, each with the hint it earns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
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
    return [_mistake(misconception, exercise.cases(seed)) for misconception in of(exercise)]


def pairs(exercise: Exercise, seed: int) -> Iterator[Mistake]:
    """The outputs of every two misconceptions that a student can have at once."""
    cases = exercise.cases(seed)
    for first, second in itertools.combinations(of(exercise), 2):
        if first.fits(second):
            yield _mistake(first.joined(second), cases)


def _mistake(misconception: Misconception, cases: Sequence[Case]) -> Mistake:
    outputs = {case.name: _outputs(misconception.variant, case.inputs) for case in cases}
    return Mistake(misconception.name, misconception.hint, outputs)


def _outputs(variant: reference.Reference, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
    """A variant's outputs, or None where its shapes do not fit."""
    try:
        return reference.outputs(variant, inputs)
    except (ValueError, IndexError):
        return None
