"""Compare returned values with the expected ones, or with those of a known mistake."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from selfcheck.aspects import identical, numbers
from selfcheck.exercise import Failure, Observation

_SUMS = 2
_HEXADECIMALS = 12  # of a digest
_ROUNDING = 32 * float(np.finfo(np.float32).eps)
_ONE_VALUE = 1e-6
_DIGITS = 1e-5  # of a sum, that an answer sheet keeps


@dataclass(frozen=True)
class Sketch:
    """A fingerprint of an array: a few weighted sums of its entries.

    Args:
        shape: the array's shape.
        numbers: the largest finite magnitude, then sums of the entries, each with its own weights.
    """

    shape: tuple[int, ...]
    numbers: tuple[float, ...]

    @classmethod
    def of(cls, values: np.ndarray, free: np.ndarray | bool) -> Sketch:
        """Sketch an array; a free entry only contributes whether it's finite."""
        # Any distinct numbers will do that keep the sums small.
        known = np.nan_to_num(values, nan=3.0, posinf=5.0, neginf=-7.0)
        known = np.where(free & np.isfinite(values), 0.0, known).ravel()
        return cls(values.shape, (_magnitude(values), *(_weights(known.size) @ known).tolist()))


@dataclass(frozen=True)
class Digest:
    """A hash of text, or of lists of anything, which doesn't reveal them."""

    text: str

    @classmethod
    def of(cls, value: Any) -> Digest:
        """Digest a value; lists and tuples are treated alike, as are arrays of equal numbers."""
        return cls(hashlib.sha256(repr(_plain(value)).encode()).hexdigest()[:_HEXADECIMALS])


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        numbers = value.dtype.kind in "fiub"
        return "array", (value.astype(np.float64) if numbers else value).tolist()
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


@cache
def _weights(size: int) -> np.ndarray:
    """The weights of all sums (sums, size), from -1 to 1: the same for all arrays of a size.

    With signs alone, moving a value from one entry to another would often go unnoticed.
    """
    return np.random.RandomState(size).uniform(-1.0, 1.0, (_SUMS, size))


def is_one_value(values: Sequence[Any]) -> bool:
    """Whether some values are equal, or arrays of one number, up to float32's rounding.

    Example:
        >>> is_one_value([np.zeros(3), np.zeros((2, 2))]), is_one_value([[1, 1], [1, 2]])
        (True, False)
        >>> is_one_value([["a"], ["a"]]), is_one_value([["a"], []])
        (True, False)
    """
    arrays = [array for array in map(numbers, values) if array is not None]
    if len(arrays) == len(values):
        flat = np.concatenate([array.ravel() for array in arrays])
        return flat.size == 0 or np.allclose(flat, flat[0], rtol=_ONE_VALUE, atol=0, equal_nan=True)
    return all(identical(value, values[0]) for value in values)


def same_outputs(outputs: Mapping[str, Any] | None, observation: Observation) -> bool:
    """Whether the received outputs are these, and all of them came back.

    Args:
        outputs: outputs or their sketches, by name. None for a call that fails.
        observation: the returned values.
    """
    received = observation.received
    if outputs is None or isinstance(received, Failure):
        return outputs is None and isinstance(received, Failure)
    names = observation.asked & outputs.keys()
    if names != received.keys():
        return False
    # First compare what a case determines: it's more likely to differ, which settles it.
    determined_first = sorted(names, key=lambda name: (observation.free(name) is not False, name))
    return all(
        same_value(name, received[name], outputs[name], observation) for name in determined_first
    )


def same_value(output: str, value: Any, other: Any, observation: Observation) -> bool:
    """Whether two values of an output are the same: arrays up to rounding, including NaN and
    infinity; text and lists exactly.

    Args:
        output: its name.
        value: the returned value.
        other: the value to compare with, or its sketch or digest.
        observation: has the tolerance, and the places where any finite number is right.
    """
    expected = observation.expected.outputs[output]
    if isinstance(other, Digest):
        return Digest.of(value) == other
    if not isinstance(other, np.ndarray | Sketch) or not isinstance(expected, np.ndarray):
        return identical(value, other)
    value = _as_numbers(output, value, observation)
    if value is None or value.shape != other.shape:
        return False
    if isinstance(other, np.ndarray) and other.dtype.kind not in "biuf":
        return False  # an array of text, say
    # A mistake that makes the outputs larger makes their rounding errors larger as well.
    magnitude = other.numbers[0] if isinstance(other, Sketch) else _magnitude(other)
    right = _magnitude(expected)
    scale = max(1.0, magnitude / right) if right else 1.0
    least = 0.0 if right else _ROUNDING * magnitude  # zeros have no rounding errors of their own
    free = observation.free(output) if other.shape == expected.shape else False
    if isinstance(other, np.ndarray):
        with np.errstate(invalid="ignore"):
            difference = np.abs(value - other)
        # A judge compares hundreds of known mistakes with a response, and most differ in a number.
        worst = difference.max(initial=0.0)
        if free is False and np.isfinite(worst):
            return bool(worst <= least) or observation.expected.within(output, worst / scale)
    atol = max(observation.expected.tolerance[output] * scale, least)
    if isinstance(other, Sketch):
        ours = Sketch.of(value, free).numbers
        rounding = atol * value.size
        return bool(np.allclose(ours, other.numbers, rtol=_DIGITS, atol=rounding))
    # As np.isclose does.
    same = (difference <= atol) | (value == other) | (np.isnan(value) & np.isnan(other))
    same |= free & (np.isfinite(value) == np.isfinite(other))
    return bool(same.all())


def _as_numbers(output: str, value: Any, observation: Observation) -> np.ndarray | None:
    received = observation.received
    if isinstance(received, Failure) or value is not received.get(output):
        return numbers(value)
    if output not in observation.arrays:
        observation.arrays[output] = numbers(value)
    return observation.arrays[output]


def _magnitude(values: np.ndarray) -> float:
    largest = np.abs(values).max(initial=0.0)
    if not np.isfinite(largest):
        largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    return float(largest)
