"""What can be asked of outputs: shapes, invariants, numbers. Each returns what was seen, or ""."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from course.exercises.base import Failure, Observation, Untransferable

Examine = Callable[[Observation], str]

# A sum of n float32 terms is off by at most about n rounding errors; rows have tens of terms.
_SUM_TOLERANCE = 100 * float(np.finfo(np.float32).eps)


def has_shapes(axes: Mapping[str, tuple[str, ...]]) -> Examine:
    """Every output is an array of numbers of the expected shape.

    Args:
        axes: the names of each output's axes; the last ones name a case with fewer.
    """

    def examine(observation: Observation) -> str:
        if isinstance(observation.received, Failure):
            return str(observation.received)
        for output, names in axes.items():
            if output not in observation.received:
                return f"{output} did not come back"
            expected = observation.expected.outputs[output]
            seen = _shape_finding(output, observation.received[output], expected, names)
            if seen:
                return seen
        return ""

    return examine


def _shape_finding(output: str, value: Any, expected: np.ndarray, axes: tuple[str, ...]) -> str:
    named = f"({', '.join(axes[-expected.ndim :])}) = {expected.shape}"
    if not _is_numeric(value):
        return f"{output} is {describe(value)}; expected an array of numbers {named}"
    if value.shape != expected.shape:
        return f"{output} has shape {value.shape}; expected {named}"
    return ""


def rows_sum_to_one(output: str) -> Examine:
    """The last axis of ``output`` is a distribution: nothing negative, sums of 1."""

    def examine(observation: Observation) -> str:
        seen, value = _numbers(observation, output)
        if seen:
            return seen
        if (value < 0).any():
            return f"{output} has negative entries, down to {value.min():.3g}"
        sums = value.sum(axis=-1)
        if np.abs(sums - 1).max() <= _SUM_TOLERANCE:
            return ""
        columns = value.sum(axis=-2)
        if np.abs(columns - 1).max() <= _SUM_TOLERANCE:
            return f"the columns of {output} sum to 1, its rows do not"
        return (
            f"the rows of {output} sum to between {sums.min():.3g} and {sums.max():.3g}, not to 1"
        )

    return examine


def numbers_agree(*outputs: str, optional: bool = False) -> Examine:
    """The named outputs equal the expected ones, to what float32 arithmetic explains.

    Args:
        outputs: output names.
        optional: whether an output that did not come back is passed over.
    """

    def examine(observation: Observation) -> str:
        if isinstance(observation.received, Failure):
            return str(observation.received)
        for output in outputs:
            if optional and output not in observation.received:
                continue
            seen = _numbers_finding(observation, output)
            if seen:
                return seen
        return ""

    return examine


def _numbers_finding(observation: Observation, output: str) -> str:
    seen, value = _numbers(observation, output)
    if seen:
        return seen
    expected = observation.expected.outputs[output]
    free = np.broadcast_to(observation.free(output), expected.shape)
    if not np.isfinite(value).all():
        kind = "NaN" if np.isnan(value).any() else "infinite"
        count = int((~np.isfinite(value)).sum())
        return f"{count} of {value.size} entries of {output} are {kind}; all must be finite"
    error = np.where(free, 0.0, np.abs(value - expected))
    if error.max() <= observation.expected.tolerance[output]:
        return ""
    worst = np.unravel_index(int(error.argmax()), error.shape)
    position = ", ".join(str(int(index)) for index in worst)
    return (
        f"{output} has the right shape but other numbers: at [{position}] "
        f"{value[worst]:.4g}, expected {expected[worst]:.4g}"
    )


def _numbers(observation: Observation, output: str) -> tuple[str, np.ndarray]:
    """Return what is wrong, or "" and the output as float64 of the expected shape."""
    if isinstance(observation.received, Failure):
        return str(observation.received), np.empty(0)
    if output not in observation.received:
        return f"{output} did not come back", np.empty(0)
    value = observation.received[output]
    expected = observation.expected.outputs[output]
    if not _is_numeric(value):
        return f"{output} is {describe(value)}; expected an array of numbers", np.empty(0)
    if value.shape != expected.shape:
        return f"{output} has shape {value.shape}; expected {expected.shape}", np.empty(0)
    return "", value.astype(np.float64)


def _is_numeric(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fiub"


def describe(value: Any) -> str:
    """Name a value's kind in a student's words.

    Example:
        >>> describe([1, 2]), describe(None)
        ('a list of 2', 'None')
    """
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a {value.name if isinstance(value, Untransferable) else type(value).__name__}"
