"""A solution's outputs in float64 on an exercise's cases, and the tolerance for answers."""

from __future__ import annotations

import hashlib
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import numpy as np

from selfcheck import Case, Exercise, Expected
from selfcheck.aspects import identical
from selfcheck.sheets import PUBLISHED_SEED

# The mean of an empty array is a valid answer here, like 0/0; NumPy has a special warning for it.
warnings.filterwarnings("ignore", "Mean of empty slice", RuntimeWarning)

Solution = Callable[..., Mapping[str, Any]]

_EPSILON = float(np.finfo(np.float32).eps)
_DOUBLE_EPSILON = float(np.finfo(np.float64).eps)
_TRIALS = 6

# A float32 program rounds after every operation, not only its inputs, and sums of tens of terms
# accumulate errors. Both stay within this factor of the error from rounding the inputs.
_OPERATIONS = 32

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
        (name, value.astype(np.float64, copy=False)) if _is_float(value) else (name, value)
        for name, value in inputs.items()
    )


@lru_cache(maxsize=2)
def cases(exercise: Exercise, seed: int) -> tuple[Case, ...]:
    """An exercise's cases in float64, cached because hundreds of mistakes share them."""
    return tuple(replace(case, inputs=_widened(case.inputs)) for case in exercise.drawn(seed))


@cache
def points_fingerprint(exercise: Exercise, solution: Solution) -> str:
    """A fingerprint of what decides points in this version of the course: the shares of the
    aspects, and the right outputs on the published inputs.
    """
    digest = hashlib.sha256()
    for aspect in exercise.aspects:
        digest.update(f"{aspect.percent} {aspect.cases}".encode())
    for case in cases(exercise, PUBLISHED_SEED):
        for name, value in sorted(outputs(solution, case.inputs).items()):
            digest.update(f"{case.name} {name}".encode())
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                # Another machine rounds differently: five digits of the largest number.
                largest = _largest(value)
                digest.update(f"{largest:.4e}".encode())
                digest.update((np.round(value * (1e5 / (largest or 1.0))) + 0.0).tobytes())
            else:
                plain = value.tolist() if isinstance(value, np.ndarray) else value
                digest.update(repr(plain).encode())
    return digest.hexdigest()


@lru_cache(maxsize=4)
def expected(exercise: Exercise, solution: Solution, seed: int) -> Mapping[str, Expected]:
    """The expected outputs and tolerances of all cases of a seed, cached because an audit judges
    hundreds of answers on the same seeds.

    The tolerance is the largest change of the outputs when every input is moved by one float32
    rounding error, times a factor for the rounding of a program's float32 operations.
    """
    known = _fixed(exercise, solution)
    return {
        case.name: _expected(solution, case, known[case.name]) for case in cases(exercise, seed)
    }


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


def _expected(solution: Solution, case: Case, fixed: frozenset[str]) -> Expected:
    right = case.asked(outputs(solution, case.inputs))
    arrays = {name: value for name, value in right.items() if isinstance(value, np.ndarray)}
    # Any fixed signs will do, the same ones in every run.
    random = np.random.RandomState(zlib.crc32(case.name.encode()))
    # An exact 0, from inputs that aren't moved, may not be 0 after rounding in a different order.
    least = _DOUBLE_EPSILON * max(map(_largest, case.inputs.values()), default=0.0)
    spread = {name: max(least, _EPSILON * _largest(x)) for name, x in arrays.items()}
    floats = {name: x for name, x in case.inputs.items() if _is_float(x)}
    for moved in _moved(floats, random) if arrays and floats else ():
        moved = outputs(solution, _Widened({**case.inputs, **moved}))
        for name, values in arrays.items():
            # If any finite number is right, no tolerance is needed.
            free = case.free.get(name, False)
            change = np.where(free, 0.0, np.abs(moved[name] - values))
            spread[name] = max(spread[name], float(np.nanmax(change, initial=0.0)))
    determined = {
        name: np.where(case.free.get(name, False), values.dtype.type(0), values)
        for name, values in arrays.items()
    }
    tolerance = {name: _OPERATIONS * size for name, size in spread.items()}
    return Expected(right | determined, tolerance, fixed)


def _largest(value: Any) -> float:
    """The largest finite magnitude in an array of numbers or a number; 0 for all else."""
    if not isinstance(value, np.ndarray | int | float) or np.asarray(value).dtype.kind not in "iuf":
        return 0.0
    magnitudes = np.abs(np.asarray(value, np.float64))
    return float(np.max(magnitudes[np.isfinite(magnitudes)], initial=0.0))


def _is_float(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _moved(
    inputs: Mapping[str, np.ndarray], random: np.random.RandomState
) -> Iterator[dict[str, np.ndarray]]:
    """Inputs with each entry randomly moved one rounding error up or down."""
    flat = np.concatenate([x.ravel() for x in inputs.values()])
    low, step = flat * (1 - _EPSILON), flat * (2 * _EPSILON)
    ends = np.cumsum([x.size for x in inputs.values()])
    for _ in range(_TRIALS):
        bits = np.unpackbits(np.frombuffer(random.bytes(flat.size // 8 + 1), np.uint8))
        # A product is quicker than a choice between two arrays.
        parts = np.split(low + step * bits[: flat.size], ends[:-1])
        yield {
            name: part.reshape(x.shape)
            for (name, x), part in zip(inputs.items(), parts, strict=True)
        }
