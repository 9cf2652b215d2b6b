"""Wrong arrays that are a known function of the right ones, such as their squares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from selfcheck.aspects import in_code
from selfcheck.diagnosis.relation import Relation
from selfcheck.texts import say

# With fewer different numbers, too many functions fit.
_FEWEST = 4

# Relative error of a function of numbers that are rounded themselves.
_RELATIVE = 1e-4

_MOST_DECIMALS = 4


def of_functions(
    output: str, value: np.ndarray, expected: np.ndarray, tolerance: float
) -> Relation | None:
    """Recognize a function of the right numbers, if it's one that students apply.

    Args:
        output: its name.
        value, expected: arrays of the same shape, finite.
        tolerance: the error that float32 arithmetic explains.
    """
    if len(np.unique(expected)) < _FEWEST or len(np.unique(value)) < 2:
        return None
    rounding = _rounded(output, value, expected)
    if rounding or (rounding := _begun_again(output, value, expected)):
        return Relation("rounded", rounding, complete=True)
    if said := _bounded(output, value, expected, tolerance):
        return Relation("bounded", said)
    with np.errstate(all="ignore"):
        for function, said in _functions(output, expected):
            bound = tolerance + _RELATIVE * np.abs(function)
            if (np.abs(function - expected) <= bound).all():
                continue  # of these numbers, it makes no others
            if np.isfinite(function).all() and (np.abs(value - function) <= bound).all():
                return Relation("function", said, complete=True)
    return None


def _rounded(output: str, value: np.ndarray, expected: np.ndarray) -> str:
    """The right numbers with fewer decimals, or ""."""
    smallest = np.finfo(np.float32).eps * np.abs(expected)
    if (value == np.trunc(expected)).all():
        return say("{output} is right, but its decimals are cut off.", output=in_code(output))
    for decimals in range(_MOST_DECIMALS + 1):
        if (np.abs(value - np.round(expected, decimals)) <= smallest).all():
            return say(
                "{output} is right, but rounded to {decimals} decimals.",
                output=in_code(output),
                decimals=decimals,
            )
    return ""


def _begun_again(output: str, value: np.ndarray, expected: np.ndarray) -> str:
    """The right integers in a type that is too small for them, or ""."""
    if not (expected == np.trunc(expected)).all() or np.abs(expected).max() >= 2**53:
        return ""
    for kind in (np.uint8, np.int8, np.uint16, np.int16):
        if (value == expected.astype(np.int64).astype(kind)).all():
            return say(
                "{output} is right up to {largest}: larger numbers don't fit its type, and begin "
                "again at the type's smallest.",
                output=in_code(output),
                largest=np.iinfo(kind).max,
            )
    return ""


def _bounded(output: str, value: np.ndarray, expected: np.ndarray, tolerance: float) -> str:
    """The right numbers clipped at a bound, or ""."""
    low, high = value.min(), value.max()
    if len(np.unique(value)) < _FEWEST or not _near(value, expected.clip(low, high), tolerance):
        return ""
    names = {"output": in_code(output), "low": f"{low:.4g}", "high": f"{high:.4g}"}
    if expected.min() >= low - tolerance:
        return say("{output} is right, but no number is above {high}.", **names)
    if expected.max() <= high + tolerance:
        return say("{output} is right, but no number is below {low}.", **names)
    return say("{output} is right, but no number is below {low} or above {high}.", **names)


def _near(value: np.ndarray, other: np.ndarray, tolerance: float) -> bool:
    return bool((np.abs(value - other) <= tolerance).all())


def _functions(output: str, expected: np.ndarray) -> Iterator[tuple[np.ndarray, str]]:
    """Functions of the right numbers, each with its message."""
    yield np.abs(expected), say("{output} is right, but without its signs.", output=in_code(output))
    yield (
        1 - expected,
        say("{output} is 1 minus the expected value everywhere.", output=in_code(output)),
    )
    yield (
        1 / expected,
        say("{output} is 1 over the expected value everywhere.", output=in_code(output)),
    )
    yield expected**2, say("{output} is the square of the expected value.", output=in_code(output))
    yield (
        np.sqrt(expected),
        say("{output} is the root of the expected value.", output=in_code(output)),
    )
    yield (
        np.exp(expected),
        say("{output} is the exponential of the expected value.", output=in_code(output)),
    )
    yield (
        np.log(expected),
        say("{output} is the logarithm of the expected value.", output=in_code(output)),
    )
