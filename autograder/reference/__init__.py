"""The solution module: NumPy in float64, the papers' formulas, one file for each lesson topic."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.reference import (
    attention,
    conv1d,
    documents,
    fastformer,
    preprocessing,
    transformer,
)
from course.exercises import Case, Exercise, Expected

_TOPICS = {
    "preprocessing": preprocessing,
    "conv1d": conv1d,
    "attention": attention,
    "transformer": transformer,
    "documents": documents,
    "fastformer": fastformer,
}

Reference = Callable[..., Mapping[str, Any]]

_EPSILON = float(np.finfo(np.float32).eps)
_TRIALS = 8
_MOVES = np.array([1 - _EPSILON, 1 + _EPSILON])

# A float32 program rounds after every operation, not its inputs alone, and sums of tens of terms
# add their errors up. Both stay within this factor of the error that rounding the inputs makes.
_OPERATIONS = 32


def function(exercise: Exercise) -> Reference:
    """The reference of an exercise: named like it, with the names of a case's inputs."""
    topic, _, name = exercise.name.rpartition(".")
    return getattr(_TOPICS[topic], name)


def outputs(reference: Reference, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Call a reference, or a known-wrong variant of it, on a case's inputs in float64.

    Overflow and 0/0 are answers here, not accidents: they give infinity and NaN. A number of
    NumPy's, such as a sum over all axes, is an array without axes, as it is for a student's tensor.
    """
    with np.errstate(all="ignore"):
        given = reference(**_widened(inputs))
    return {
        name: np.asarray(value) if isinstance(value, np.number) else value
        for name, value in given.items()
    }


class _Widened(dict[str, Any]):
    """Inputs in float64."""


def _widened(inputs: Mapping[str, Any]) -> _Widened:
    if isinstance(inputs, _Widened):
        return inputs
    return _Widened(
        (name, value.astype(np.float64, copy=False))
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
        else (name, value)
        for name, value in inputs.items()
    )


@lru_cache(maxsize=2)
def cases(exercise: Exercise, seed: int) -> tuple[Case, ...]:
    """An exercise's cases in float64. They're kept for a while: hundreds of mistakes share them."""
    return tuple(replace(case, inputs=_widened(case.inputs)) for case in exercise.drawn(seed))


def expected(exercise: Exercise, seed: int) -> dict[str, Expected]:
    """What every case of a seed must give, and how exactly.

    The tolerance is derived: the largest change of the outputs when every input is moved by one
    rounding error of float32, times what a program of float32 operations adds to it.
    """
    reference = function(exercise)
    return {case.name: _expected(reference, case) for case in cases(exercise, seed)}


def _expected(reference: Reference, case: Case) -> Expected:
    right = outputs(reference, case.inputs)
    arrays = {name: value for name, value in right.items() if isinstance(value, np.ndarray)}
    # Any fixed signs will do, the same ones in every run.
    random = np.random.RandomState(zlib.crc32(case.name.encode()))
    spread = {
        name: _EPSILON * float(np.nanmax(np.abs(x), initial=0.0)) for name, x in arrays.items()
    }
    for _ in range(_TRIALS if arrays else 0):
        moved = _Widened((name, _move(x, random)) for name, x in case.inputs.items())
        moved = outputs(reference, moved)
        for name, values in arrays.items():
            change = np.abs(moved[name] - values)
            spread[name] = max(spread[name], float(np.nanmax(change, initial=0.0)))
    determined = {
        name: np.where(case.free.get(name, False), 0.0, values) for name, values in arrays.items()
    }
    return Expected(right | determined, {name: _OPERATIONS * size for name, size in spread.items()})


def _move(value: Any, random: np.random.RandomState) -> Any:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    bits = np.unpackbits(np.frombuffer(random.bytes(value.size // 8 + 1), np.uint8))
    return value * _MOVES[bits[: value.size].reshape(value.shape)]
