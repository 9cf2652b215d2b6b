"""A solution's outputs in float64 on an exercise's cases."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from autograder.judging.tolerance import Tolerance, is_float, largest
from selfcheck import Case, Exercise, Expected, Observation, responses
from selfcheck.aspects import identical
from selfcheck.evidence import Seen
from selfcheck.sheets import PUBLISHED_SEED

# The mean of an empty array is a valid answer here, like 0/0, and so is the deviation of a single
# number; NumPy has special warnings for them.
warnings.filterwarnings("ignore", "Mean of empty slice|Degrees of freedom <= 0", RuntimeWarning)

Solution = Callable[..., Mapping[str, Any]]

_SEEDS_TO_COMPARE = range(5)


def outputs(solution: Solution, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Call a solution, or a known-wrong variant of it, on a case's inputs in float64.

    Overflow and 0/0 are valid answers here, not errors: they give infinity and NaN. A NumPy scalar,
    such as a sum over all axes, becomes an array without axes, like a student's tensor.
    """
    with np.errstate(all="ignore"):
        given = solution(**_widened(inputs))
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"a solution must return its outputs by name, in a dict, not a {kind}")
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
        (name, value.astype(np.float64, copy=False)) if is_float(value) else (name, value)
        for name, value in inputs.items()
    )


@lru_cache(maxsize=2)
def cases(exercise: Exercise, seed: int) -> Mapping[str, Case]:
    """An exercise's cases in float64, by name; cached because hundreds of mistakes share them."""
    return {case.name: replace(case, inputs=_widened(case.inputs)) for case in exercise.drawn(seed)}


@cache
def points_fingerprint(exercise: Exercise, solution: Solution) -> str:
    """A fingerprint of what decides points in this version of the course: the shares of the
    aspects, and the right outputs on the published inputs.
    """
    digest = hashlib.sha256()
    for aspect in exercise.aspects:
        digest.update(f"{aspect.percent} {aspect.cases}".encode())
    for case in cases(exercise, PUBLISHED_SEED).values():
        for name, value in sorted(outputs(solution, case.inputs).items()):
            digest.update(f"{case.name} {name}".encode())
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                # Another machine rounds differently: five digits of the largest number.
                size = largest(value)
                digest.update(f"{size:.4e}".encode())
                digest.update((np.round(value * (1e5 / (size or 1.0))) + 0.0).tobytes())
            else:
                plain = value.tolist() if isinstance(value, np.ndarray) else value
                digest.update(repr(plain).encode())
    return digest.hexdigest()


def inputs_fingerprint(exercise: Exercise, seed: int) -> str:
    """A fingerprint of the inputs that a version of an exercise draws from a seed."""
    cases = [
        [case.name, {key: responses.encode(value) for key, value in case.inputs.items()}]
        for case in exercise.drawn(seed)
    ]
    return hashlib.sha256(json.dumps(cases).encode()).hexdigest()


@lru_cache(maxsize=4)
def expected(exercise: Exercise, solution: Solution, seed: int) -> Mapping[str, Expected]:
    """The expected outputs and tolerances of all cases of a seed, cached because an audit judges
    hundreds of answers on the same seeds."""
    work = _work(exercise, solution)
    return {
        name: replace(one, work=work[name])
        for name, one in _expected(exercise, solution, seed).items()
    }


@cache
def _work(exercise: Exercise, solution: Solution) -> Mapping[str, frozenset[str]]:
    """By case name, the outputs that take a computation: on the published inputs, so that nobody's
    own inputs decide it by chance."""
    right = _expected(exercise, solution, PUBLISHED_SEED)
    seen = Seen(
        (name, Observation(case, right[name], right[name].outputs))
        for name, case in cases(exercise, PUBLISHED_SEED).items()
    )
    return {name: frozenset(output for case, output in seen.work if case == name) for name in seen}


@cache
def _fixed(exercise: Exercise, solution: Solution) -> Mapping[str, frozenset[str]]:
    """By case name, the outputs that are the same for every seed, unless all outputs are."""
    first, *others = (
        {case.name: case.asked(outputs(solution, case.inputs)) for case in exercise.cases(seed)}
        for seed in _SEEDS_TO_COMPARE
    )
    fixed = {
        case: frozenset(
            name
            for name, value in right.items()
            if all(identical(other[case][name], value) for other in others)
        )
        for case, right in first.items()
    }
    varies = any(len(fixed[case]) < len(right) for case, right in first.items())
    return fixed if varies else dict.fromkeys(first, frozenset())


def _expected(exercise: Exercise, solution: Solution, seed: int) -> dict[str, Expected]:
    fixed = _fixed(exercise, solution)
    return {
        name: _expected_of(solution, case, fixed[name])
        for name, case in cases(exercise, seed).items()
    }


def _expected_of(solution: Solution, case: Case, fixed: frozenset[str]) -> Expected:
    right = case.asked(outputs(solution, case.inputs))
    arrays = {name: value for name, value in right.items() if isinstance(value, np.ndarray)}
    determined = {
        name: np.where(case.free.get(name, False), values.dtype.type(0), values)
        for name, values in arrays.items()
    }
    tolerance = Tolerance(case, arrays, partial(outputs, solution))
    return Expected(right | determined, tolerance, fixed, tolerance.least)
