"""Checks of outputs: shapes, invariants, numbers. Each returns what was seen, or ""."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from selfcheck.exercise import Failure, Observation, Untransferable, axis_names
from selfcheck.texts import say

Examine = Callable[[Observation], str]

# A sum of n float32 terms is off by at most about n rounding errors; rows have tens of terms.
_SUM_TOLERANCE = 100 * float(np.finfo(np.float32).eps)


def has_shapes(axes: Mapping[str, tuple[str, ...]]) -> Examine:
    """Every output is an array of numbers of the expected shape.

    Args:
        axes: the names of each output's axes; a case with fewer lacks the second.
    """

    def examine(observation: Observation) -> str:
        if isinstance(observation.received, Failure):
            return str(observation.received)
        for output, names in axes.items():
            if output not in observation.received:
                return absent(output)
            expected = observation.expected.outputs[output]
            seen = _shape_finding(output, observation.received[output], expected, names)
            if seen:
                return seen
        return ""

    return examine


def _shape_finding(output: str, value: Any, expected: np.ndarray, axes: tuple[str, ...]) -> str:
    named = f"({', '.join(axis_names(axes, expected.ndim))}) = {expected.shape}"
    array = numbers(value)
    if not expected.ndim and (array is None or array.ndim):
        return _not_one_number(output, value, array)
    if array is None:
        if isinstance(value, list | tuple) and (text := next(_texts(value), None)) is not None:
            return say(
                "{output} has text in it, such as {text}; expected an array of numbers {shape}",
                output=in_code(output),
                text=_short(text),
                shape=named,
            )
        return say(
            "{output} is {seen}; expected an array of numbers {shape}",
            output=in_code(output),
            seen=describe(value),
            shape=named,
        )
    if not array.ndim and expected.ndim:
        return say(
            "{output} is one number; expected an array {shape}", output=in_code(output), shape=named
        )
    if array.shape != expected.shape:
        return _other_shape(output, array, named)
    return ""


def _texts(value: Any) -> Iterator[str]:
    """All text in lists, also in lists of lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _not_one_number(output: str, value: Any, array: np.ndarray | None) -> str:
    if array is None:
        seen = describe(value)
        return say("{output} is {seen}; expected one number", output=in_code(output), seen=seen)
    return say(
        "{output} has shape {shape}; expected one number", output=in_code(output), shape=array.shape
    )


def absent(output: str) -> str:
    """The message for an output that is missing because what it's measured on doesn't fit."""
    return say("{output} couldn't be compared", output=in_code(output))


def in_code(output: str) -> str:
    """An output's name as code, because many names are also words.

    Example:
        >>> in_code("rows")
        '`rows`'
    """
    return f"`{output}`"


def comparable(axes: Mapping[str, tuple[str, ...]]) -> Examine:
    """Like ``has_shapes``, but for an aspect with a different title."""

    def examine(observation: Observation) -> str:
        return _not_compared(has_shapes(axes)(observation), observation)

    return examine


def _not_compared(seen: str, observation: Observation) -> str:
    """Why an output can't be compared, worded for an aspect of its contents."""
    if not seen or isinstance(observation.received, Failure):
        return seen
    return say("couldn't be compared: {seen}", seen=seen)


def _other_shape(output: str, array: np.ndarray, expected: Any) -> str:
    return say(
        "{output} has shape {shape}; expected {expected}",
        output=in_code(output),
        shape=array.shape,
        expected=expected,
    )


def rows_sum_to_one(output: str) -> Examine:
    """The last axis of ``output`` is a distribution: nothing negative, sums of 1."""

    def examine(observation: Observation) -> str:
        seen, value = _numbers(observation, output)
        if seen:
            return seen
        if lost := _not_finite(output, value):
            return lost
        if (value < 0).any():
            return say(
                "{output} has negative entries, down to {least}",
                output=in_code(output),
                least=f"{value.min():.3g}",
            )
        sums = value.sum(axis=-1)
        if np.abs(sums - 1).max() <= _SUM_TOLERANCE:
            return ""
        columns = value.sum(axis=-2)
        if np.abs(columns - 1).max() <= _SUM_TOLERANCE:
            return say(
                "the columns of {output} sum to 1, but its rows don't", output=in_code(output)
            )
        return say(
            "the rows of {output} sum to between {least} and {largest}, not to 1",
            output=in_code(output),
            least=f"{sums.min():.5g}",
            largest=f"{sums.max():.5g}",
        )

    return examine


def numbers_agree(*outputs: str) -> Examine:
    """The named outputs equal the expected ones, within the error of float32 arithmetic."""

    def examine(observation: Observation) -> str:
        return next(
            (seen for output in outputs if (seen := _numbers_finding(observation, output))), ""
        )

    return examine


def equals(*outputs: str, ours: tuple[str, ...] = ()) -> Examine:
    """The named outputs, text or lists of text, equal the expected ones exactly.

    Lists, tuples and arrays of text are treated alike.

    Args:
        outputs: output names.
        ours: the exercise's own words for what a student returned, if the outputs are such words:
            they are shown in the student's language.
    """

    def examine(observation: Observation) -> str:
        if isinstance(observation.received, Failure):
            return str(observation.received)
        for output in outputs:
            if output not in observation.received:
                return absent(output)
            value, expected = observation.received[output], observation.expected.outputs[output]
            if isinstance(value, str) and value in ours and value != expected:
                words = {"seen": say(value), "expected": say(expected)}
                return say("{seen}; expected: {expected}", **words)
            seen = _type_finding(output, value, expected)
            if seen:
                return _not_compared(seen, observation)
            seen = _text_finding(output, value, expected)
            if seen:
                return seen
        return ""

    return examine


def _type_finding(output: str, value: Any, expected: Any) -> str:
    if type(value) is type(expected) or (isinstance(value, tuple) and isinstance(expected, list)):
        return ""
    seen = describe(value)
    if isinstance(expected, list):
        return say("{output} is {seen}; expected a list", output=in_code(output), seen=seen)
    return say("{output} is {seen}; expected text", output=in_code(output), seen=seen)


def _text_finding(output: str, value: Any, expected: Any) -> str:
    if not isinstance(expected, list):
        return "" if value == expected else other_value(output, _short(value), _short(expected))
    for position, (item, right) in enumerate(zip(value, expected, strict=False)):
        if not identical(item, right):
            return say(
                "{output} differs first at [{position}]: {value}, expected {expected}",
                output=in_code(output),
                position=position,
                value=_short(item),
                expected=_short(right),
            )
    if len(value) == len(expected):
        return ""
    if len(value) > len(expected):
        return say(
            "{output} is too long: {value} comes after its expected end",
            output=in_code(output),
            value=_short(value[len(expected)]),
        )
    if not value:
        return say(
            "{output} is empty; expected a list that begins with {first}",
            output=in_code(output),
            first=_short(expected[0]),
        )
    return say(
        "{output} ends too early: {missing} is missing",
        output=in_code(output),
        missing=_short(expected[len(value)]),
    )


def other_value(output: str, value: str, expected: str) -> str:
    """The message for a wrong value, with both values already in words."""
    return say(
        "{output}: got {value}, expected {expected}",
        output=in_code(output),
        value=value,
        expected=expected,
    )


def identical(value: Any, other: Any) -> bool:
    """Whether two values are exactly equal; lists and tuples are treated alike.

    Args:
        value: the returned value, which may contain anything.
        other: what to compare with: an array, text, or lists of these.

    Example:
        >>> identical([("a",)], [["a"]]), identical([np.zeros(2)], ["a"]), identical(True, 1)
        (True, False, False)
    """
    if isinstance(other, np.ndarray):
        return isinstance(value, np.ndarray) and np.array_equal(value, other)
    if isinstance(other, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(other)
            and all(map(identical, value, other))
        )
    return type(value) is type(other) and value == other


def _short(value: Any) -> str:
    """A value as a student would write it, cut to what fits a line."""
    text = repr(value) if isinstance(value, str) else describe(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _numbers_finding(observation: Observation, output: str) -> str:
    seen, value = _numbers(observation, output)
    if seen:
        return seen
    expected = observation.expected.outputs[output]
    if lost := _not_finite(output, value):
        return lost
    error = absolute_errors(observation, output, value)
    assert error is not None  # its shape is the expected one
    if observation.expected.within(output, error.max()):
        return ""
    # The first of equally large errors, up to rounding.
    largest = error >= error.max() - observation.expected.tolerance[output]
    worst = np.unravel_index(int(largest.argmax()), error.shape)
    # An answer sheet has seven digits: rounded twice, a number may end in another digit.
    right = float(f"{float(expected[worst]):.7g}")
    if abs(right) < np.finfo(np.float32).tiny:
        right = 0.0  # which is what a float32 program can make of it
    came, wanted = _told_apart(float(value[worst]), right)
    if value.size == 1:
        return other_value(output, came, wanted)
    position = ", ".join(str(int(index)) for index in worst)
    return say(
        "{output} has the right shape but wrong numbers: at [{position}] {value}, expected "
        "{expected}",
        output=in_code(output),
        position=position,
        value=came,
        expected=wanted,
    )


def _not_finite(output: str, value: np.ndarray) -> str:
    """The message on numbers that aren't finite, or ""."""
    count = int((~np.isfinite(value)).sum())
    counted = {"count": count, "total": value.size, "output": in_code(output)}
    if np.isnan(value).any():
        return say("{count} of {total} entries of {output} are NaN; all must be finite", **counted)
    if count:
        return say(
            "{count} of {total} entries of {output} are infinite; all must be finite", **counted
        )
    return ""


def _told_apart(value: float, other: float) -> tuple[str, str]:
    """Two different numbers, with enough digits to see the difference, and at least four; integers
    in full."""
    if value.is_integer() and other.is_integer() and max(abs(value), abs(other)) < 1e15:
        return f"{value:,.0f}", f"{other:,.0f}"
    for digits in range(4, 17):
        texts = f"{value:.{digits}g}", f"{other:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts


def _numbers(observation: Observation, output: str) -> tuple[str, np.ndarray]:
    """Return what is wrong, or "" and the output as float64 of the expected shape."""
    if isinstance(observation.received, Failure):
        return str(observation.received), np.empty(0)
    if output not in observation.received:
        return absent(output), np.empty(0)
    value = numbers(observation.received[output])
    expected = observation.expected.outputs[output]
    seen = ""
    if not expected.ndim and (value is None or value.ndim):
        seen = _not_one_number(output, observation.received[output], value)
    elif value is None:
        seen = say(
            "{output} is {seen}; expected an array of numbers",
            output=in_code(output),
            seen=describe(observation.received[output]),
        )
    elif value.shape != expected.shape:
        seen = _other_shape(output, value, expected.shape)
    if seen or value is None:
        return _not_compared(seen, observation), np.empty(0)
    return _not_compared(seen, observation), value


def absolute_errors(observation: Observation, output: str, value: Any) -> np.ndarray | None:
    """The error of the value returned for an output.

    Args:
        observation: has the expected output, and the places where any finite number is right.
        output: its name; the expected output is an array.
        value: the returned value.

    Returns:
        Absolute errors in the expected shape, 0 where any finite number is right, infinite where a
        number isn't finite. None if the value isn't an array of numbers of that shape.
    """
    expected = observation.expected.outputs[output]
    array = numbers(value)
    if array is None or array.shape != expected.shape:
        return None
    finite = np.isfinite(array)
    off = np.abs(np.where(finite, array, 0.0) - expected)
    return np.where(finite, np.where(observation.free(output), 0.0, off), np.inf)


def numbers(value: Any) -> np.ndarray | None:
    """An array of numbers, or nested lists of them, as float64; None for anything else.

    Example:
        >>> numbers([[1, 2], [3, 4]]).shape, numbers([[1], [2, 3]]), numbers("1")
        ((2, 2), None, None)
    """
    array = as_array(value)
    return array.astype(np.float64) if _is_numeric(array) else None


def as_array(value: Any) -> Any:
    """Nested lists of numbers as an array; anything else unchanged, including ragged lists.

    True and False become 1 and 0: NumPy neither subtracts nor formats its booleans.

    Example:
        >>> as_array([[1, 2], [3, 4]]).shape, as_array([[1], [2, 3]])
        ((2, 2), [[1], [2, 3]])
    """
    # NumPy would convert the numbers in a mixed list to text, each as long as the longest one.
    if isinstance(value, list | tuple) and _holds_numbers(value):
        try:
            value = np.array(value)
        except (ValueError, OverflowError):
            return value
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        return value.astype(np.uint8)
    return value


def _holds_numbers(value: Any) -> bool:
    """Whether a value is a number, an array of numbers, or lists with nothing else."""
    if isinstance(value, list | tuple):
        return all(map(_holds_numbers, value))
    return _is_numeric(value) or isinstance(value, bool | int | float)


def _is_numeric(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fiub"


def describe(value: Any) -> str:
    """Name a value's kind in a student's words.

    Example:
        >>> describe([1, 2]), describe(...), describe(None)
        ('a list of 2', 'an ellipsis', 'None')
    """
    if value is None:
        return "None"
    if isinstance(value, np.ndarray) and not value.ndim:
        return say("a number")
    if isinstance(value, np.ndarray):
        return say("an array of {dtype}", dtype=value.dtype)
    if isinstance(value, list | tuple | dict):
        return say("a {kind} of {count}", kind=type(value).__name__, count=len(value))
    kind = value.name if isinstance(value, Untransferable) else type(value).__name__
    if kind[:1] in "AEIOaeio":
        return say("an {kind}", kind=kind)
    return say("a {kind}", kind=kind)
