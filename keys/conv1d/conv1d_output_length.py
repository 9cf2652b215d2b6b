"""The key of ``conv1d.conv1d_output_length``."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.conv1d.conv1d_output_length import EXERCISE
from keys.input_classes import some_values


def conv1d_output_length(length: int, kernel_size: int, strides: int) -> dict[str, Any]:
    """⌊(T - k) / s⌋ + 1 steps without padding; none where the text is shorter than the kernel.

    Returns:
        steps; type: of the answer.

    Reference: Dumoulin and Visin, "A guide to convolution arithmetic for deep learning" (2016),
    relationship 5.

    Example:
        >>> conv1d_output_length(500, 7, 3)["steps"].item()
        165.0
    """
    steps = (length - kernel_size) // strides + 1 if length >= kernel_size else 0
    return {"steps": np.array(float(steps)), "type": "int"}


KEY = Key(EXERCISE, conv1d_output_length)


# Found together with a mistake about texts that are too short.
_windows = partial(KEY.mistake, cost=SLIP)

_STEPS = "(length - kernel_size) // strides + 1"
_UNLESS = " if length >= kernel_size else 0"

_windows(
    "fewer_than_none",
    "The number of steps is negative: think of a text that's shorter than the kernel.",
    _UNLESS,
    "",
    cost=SLIP,
    paired=True,
)
_windows(
    "exact_fit_refused",
    "A text exactly as long as the kernel got no step: does the kernel fit once?",
    ">=",
    ">",
    paired=True,
)
_windows(
    "first_step_forgotten",
    "One step is missing: the kernel already has a position before its first move.",
    " + 1",
    "",
    paired=True,
)
_windows(
    "one_added_too_early",
    "You added the 1 before the division: the first step doesn't depend on the strides.",
    _STEPS,
    "(length - kernel_size + 1) // strides",
    paired=True,
)
_windows(
    "moves_of_the_start",
    "A last window that just fits is missing: how far may the start of a window move?",
    _STEPS,
    "-(-(length - kernel_size) // strides)",
    paired=True,
)
for _name, _hint, _formula in (
    (
        "rounded_up",
        "You counted a window that extends beyond the text: without padding it's left out.",
        "-(-(length - kernel_size) // strides) + 1",
    ),
    (
        "rounded_to_the_nearest",
        "You rounded to the nearest whole number: a window counts only if it's complete.",
        "round((length - kernel_size) / strides) + 1",
    ),
    (
        "kernel_and_strides_swapped",
        "The kernel size and the strides have changed places: which of them says how far a "
        "window moves?",
        "(length - strides) // kernel_size + 1",
    ),
):
    _windows(_name, _hint, _STEPS, _formula, paired=True)
    KEY.mistake(
        f"{_name}_and_none_below", _hint, _STEPS + _UNLESS, f"max({_formula}, 0)", cost=SLIP
    )
_NOT_ROUNDED = "The result isn't a whole number: what happens to an incomplete window?"
_FLOAT = '"type": "float"'
_NO_FLOAT = f'{_FLOAT} if (length - kernel_size) / strides + 1 > 0 else "int"'
KEY.mistake(
    "not_rounded",
    _NOT_ROUNDED,
    _STEPS + _UNLESS,
    "(length - kernel_size) / strides + 1",
    '"type": "int"',
    _FLOAT,
    cost=SLIP,
)
KEY.mistake(
    "not_rounded_and_none_below",
    _NOT_ROUNDED,
    _STEPS + _UNLESS,
    "max((length - kernel_size) / strides + 1, 0)",
    '"type": "int"',
    _NO_FLOAT,
    cost=SLIP,
)
KEY.mistake(
    "not_rounded_unless_too_short",
    _NOT_ROUNDED,
    _STEPS,
    "(length - kernel_size) / strides + 1",
    '"type": "int"',
    f'{_FLOAT} if length >= kernel_size else "int"',
    cost=SLIP,
)
_TOWARDS_ZERO = (
    "A text one word shorter than the kernel got a step: int rounds negative numbers towards "
    "0, not down."
)
KEY.mistake(
    "rounded_towards_zero",
    _TOWARDS_ZERO,
    _STEPS + _UNLESS,
    "max(int((length - kernel_size) / strides) + 1, 0)",
    cost=SLIP,
)
KEY.mistake(
    "rounded_towards_zero_and_fewer_than_none",
    f"{_TOWARDS_ZERO} The number of steps is even negative for shorter texts.",
    _STEPS + _UNLESS,
    "int((length - kernel_size) / strides) + 1",
)
KEY.mistake(
    "a_float",
    "Your number of steps is a float: the task asks for an int.",
    '"type": "int"',
    _FLOAT,
    cost=SLIP,
)
KEY.mistake(
    "a_float_unless_too_short",
    "Your number of steps is a float where there are any: the task asks for an int.",
    '"type": "int"',
    f'{_FLOAT} if length >= kernel_size else "int"',
    cost=SLIP,
)
KEY.mistake(
    "a_float_and_fewer_than_none",
    "The number of steps is a float, and it's negative for a text that's shorter than the kernel.",
    _UNLESS,
    "",
    '"type": "int"',
    _FLOAT,
)
for _name, _cost, _hint, _formula in (
    (
        "same_padding",
        SLIP,
        "You get as many steps as with padding: the kernel size has to matter.",
        "-(-length // strides)",
    ),
    (
        "length_over_strides",
        IDEA,
        "You divided the length by the strides and ignored the kernel: how far can a kernel move?",
        "length // strides",
    ),
    (
        "brackets_forgotten",
        IDEA,
        "Only the kernel size was divided by the strides: division comes before subtraction, "
        "unless there are brackets.",
        "length - kernel_size // strides + 1",
    ),
):
    KEY.mistake(_name, _hint, _STEPS + _UNLESS, _formula, cost=_cost)
    KEY.mistake(f"{_name}_and_none_below", _hint, _STEPS, _formula, cost=_cost)
_STRIDES_IGNORED = "The kernel moved word by word: it should skip some with each stride."
KEY.mistake(
    "strides_ignored",
    _STRIDES_IGNORED,
    _STEPS + _UNLESS,
    "length - kernel_size + 1",
    cost=PART,
)
KEY.mistake(
    "strides_ignored_and_none_below",
    _STRIDES_IGNORED,
    _STEPS,
    "length - kernel_size + 1",
    cost=PART,
)
KEY.mistake(
    "one_step_at_least",
    "A text that's shorter than the kernel got a step: no window lies inside it.",
    "else 0",
    "else 1",
    cost=SLIP,
)
KEY.mistake(
    "distance_of_short_texts",
    "A text that's shorter than the kernel got steps: how long is it, compared with the kernel?",
    _STEPS + _UNLESS,
    "abs(length - kernel_size) // strides + 1",
)
KEY.mistake(
    "windows_side_by_side",
    "You divided the length by the kernel size: windows may overlap, and the strides say how far "
    "they move.",
    _STEPS + _UNLESS,
    "length // kernel_size",
)
KEY.mistake(
    "even_kernel_one_wider",
    "You treat a kernel of even size as one word wider: half of it on both sides of a middle word "
    "is one word too many.",
    _STEPS + _UNLESS,
    "max((length - kernel_size // 2 * 2 - 1) // strides + 1, 0)",
    cost=SLIP,
)
KEY.mistake(
    "odd_kernel_one_narrower",
    "You treat a kernel of odd size as one word narrower: twice its half, rounded down, is less "
    "than all of it.",
    _STEPS + _UNLESS,
    "max((length - kernel_size // 2 * 2) // strides + 1, 0)",
    cost=SLIP,
)
for _name, _formula in (
    ("numbers_of_the_lesson", "(length - 7) // 3 + 1"),
    ("numbers_of_the_lesson_and_none_below", "max((length - 7) // 3 + 1, 0)"),
):
    KEY.mistake(
        _name,
        "You calculated with width 7 and stride 3, as in the lesson: take the arguments.",
        _STEPS + _UNLESS,
        _formula,
        cost=SLIP,
    )
KEY.mistake(
    "divided_apart",
    "You divided the text's length and the kernel's size by the strides one by one, and each "
    "division loses its remainder: subtract first, then divide once.",
    "(length - kernel_size) // strides",
    "(length // strides - kernel_size // strides)",
    cost=SLIP,
)
KEY.mistake(
    "pieces_as_long_as_the_strides",
    "Where windows don't overlap, you divided the text into pieces as long as the strides: the "
    "last window only needs as many words as the kernel has.",
    "(length - kernel_size) // strides",
    "(length // strides - 1 if strides >= kernel_size else (length - kernel_size) // strides)",
    cost=SLIP,
)
KEY.mistake(
    "every_word_with_stride_one",
    "With stride 1, you counted a window for every word: the last ones would extend beyond the "
    "text.",
    "(length - kernel_size) // strides",
    "(length - 1 if strides == 1 else (length - kernel_size) // strides)",
    cost=SLIP,
)


def _over(length: int, kernel_size: int, strides: int) -> int:
    """Words behind the last window."""
    return (length - kernel_size) % strides


INPUT_CLASSES = {
    "more than half a stride is left over": some_values(
        lambda n, k, s: n > k and 2 * _over(n, k, s) > s
    ),
    "one word is left over": some_values(lambda n, k, s: n > k and _over(n, k, s) == 1),
    "less than half a stride is left over, and the length's remainder is smaller than the "
    "kernel's": some_values(
        lambda n, k, s: n > k and 0 < 2 * _over(n, k, s) < s and 0 < n % s < k % s
    ),
    "nothing is left over": some_values(lambda n, k, s: n > k and s > 1 and not _over(n, k, s)),
    "the windows move word by word": some_values(lambda n, k, s: s == 1),
    "the windows overlap": some_values(lambda n, k, s: 1 < s < k),
    "there are words between the windows": some_values(lambda n, k, s: s > k),
    "a window of one word": some_values(lambda n, k, s: k == 1),
    "a window of an even number of words, and one word more would be too long": some_values(
        lambda n, k, s: n > k and k % 2 == 0 and not _over(n, k, s)
    ),
    "a window of an odd number of words, and one word less would fit once more": some_values(
        lambda n, k, s: n > k > 1 and k % 2 == 1 and _over(n, k, s) == s - 1
    ),
    "the text is as long as the kernel": some_values(lambda n, k, s: n == k),
    "the text is one word too short": some_values(lambda n, k, s: n == k - 1),
    "the text is more than a stride too short": some_values(lambda n, k, s: 0 < n < k - s),
    "there are no words": some_values(lambda n, k, s: n == 0),
}
