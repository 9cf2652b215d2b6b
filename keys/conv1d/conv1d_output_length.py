"""The key of ``conv1d.conv1d_output_length``."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import Key
from course.exercises.conv1d.conv1d_output_length import EXERCISE


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
    steps = max((length - kernel_size) // strides + 1, 0)
    return {"steps": np.array(float(steps)), "type": "int"}


KEY = Key(EXERCISE, conv1d_output_length)

_length = partial(KEY.mistake, alone=True)

_STEPS = "max((length - kernel_size) // strides + 1, 0)"

_length(
    "first_step_forgotten",
    "One step is missing: the kernel already has a position before its first move.",
    _STEPS,
    "(length - kernel_size) // strides",
)
_length(
    "rounded_up",
    "You counted a window that extends beyond the text: without padding it's left out.",
    _STEPS,
    "-(-(length - kernel_size) // strides) + 1",
)
_length(
    "same_padding",
    "You get as many steps as with padding: the kernel size has to matter.",
    _STEPS,
    "-(-length // strides)",
)
_length(
    "length_over_strides",
    "You divided the length by the strides and ignored the kernel: how far can a kernel move?",
    _STEPS,
    "length // strides",
)
_length(
    "strides_ignored",
    "The kernel moved word by word: it should skip some with each stride.",
    _STEPS,
    "length - kernel_size + 1",
)
_length(
    "one_added_too_early",
    "You added the 1 before the division: the first step doesn't depend on the strides.",
    _STEPS,
    "(length - kernel_size + 1) // strides",
)
_length(
    "not_rounded",
    "The result isn't a whole number: what happens to an incomplete window?",
    _STEPS,
    "(length - kernel_size) / strides + 1",
    '"type": "int"',
    '"type": "float"',
)
_length(
    "fewer_than_none",
    "The number of steps is negative: think of a text that's shorter than the kernel.",
    _STEPS,
    "(length - kernel_size) // strides + 1",
)
_length(
    "rounded_towards_zero",
    "A text one word shorter than the kernel got a step: int rounds negative numbers towards "
    "0, not down.",
    "(length - kernel_size) // strides",
    "int((length - kernel_size) / strides)",
)
_length(
    "exact_fit_refused",
    "A text exactly as long as the kernel got no step: does the kernel fit once?",
    _STEPS,
    "(length - kernel_size) // strides + 1 if length > kernel_size else 0",
)
