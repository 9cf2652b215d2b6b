"""The key of ``conv1d.conv1d``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.conv1d.conv1d import EXERCISE
from keys.input_classes import Contain


def conv1d(
    x: np.ndarray, kernel: np.ndarray, bias: np.ndarray, strides: int = 1
) -> dict[str, np.ndarray]:
    """b + Σ_j x[t·s + j] W[j] at every step t at which the kernel lies inside the text.

    Args:
        x: (B, T, d).
        kernel: W (k, d, F).
        bias: b (F,).
        strides: s.

    Returns:
        output: (B, steps, F).

    Reference: Kim, "Convolutional Neural Networks for Sentence Classification" (2014), equation 2,
    before its non-linearity.

    Example:
        >>> x, kernel = np.arange(5.0).reshape(1, 5, 1), np.ones((2, 1, 1))
        >>> conv1d(x, kernel, np.zeros(1), 3)["output"].ravel().tolist()
        [1.0, 7.0]
    """
    size, words = len(kernel), x.shape[1]
    first = np.arange(0, words - size + 1, strides)
    output = sum(x[:, first + place] @ kernel[place] for place in range(size)) + bias
    return {"output": output}


KEY = Key(EXERCISE, conv1d)


_FIRST = "np.arange(0, words - size + 1, strides)"
_SUM = "sum(x[:, first + place] @ kernel[place] for place in range(size)) + bias"

KEY.mistake(
    "bias_forgotten",
    "The bias is missing: each kernel adds its own number to every sum.",
    " + bias",
    "",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "bias_subtracted",
    "The bias was subtracted: it's to be added.",
    " + bias",
    " - bias",
    cost=SLIP,
)
KEY.mistake(
    "bias_multiplied",
    "The bias was multiplied with the products: it's to be added.",
    " + bias",
    " * bias",
    cost=SLIP,
)
KEY.mistake(
    "last_of_the_words_skipped",
    "With larger strides, your first window begins at word s - 1, counted from 0: it should begin "
    "at word 0.",
    _FIRST,
    "np.arange(min(strides, words - size + 1) - 1, words - size + 1, strides)",
    cost=SLIP,
)
KEY.mistake(
    "flattened_in_different_orders",
    "The numbers of a window and those of a kernel were put into one row in different orders: "
    "one word by word, the other feature by feature.",
    "kernel[place]",
    "kernel.reshape(kernel.shape[1], size, -1).swapaxes(0, 1)[place]",
    cost=SLIP,
)
KEY.mistake(
    "strides_ignored",
    "The window moves word by word, even with larger strides.",
    ", strides)",
    ", 1)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "last_window_lost",
    "A last window that just fits is missing: at which words may a window begin?",
    "words - size + 1",
    "max(words - size, 1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "kernel_reversed",
    "The kernel is applied backwards: its first weights belong to the first word of the window.",
    "@ kernel[place]",
    "@ kernel[size - 1 - place]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "relu_applied",
    "Sums below 0 became 0: the activation isn't part of this function.",
    "return {",
    "output = np.maximum(output, 0)\n    return {",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "steps_rounded_down",
    "With larger strides, the last window is missing where the strides don't divide the number of "
    "places: the first place always counts, and then one for every full move.",
    _FIRST,
    "strides * np.arange(max(0, words - size + 1) // strides)",
    cost=SLIP,
)
KEY.mistake(
    "no_window_that_just_fits",
    "A window that just fits is missing, even when the kernel is as wide as the text: at which "
    "words may a window begin?",
    "words - size + 1",
    "words - size",
    cost=SLIP,
)
KEY.mistake(
    "last_window_forgotten",
    "The last window is always missing: when you count windows, the first one counts as well.",
    "words - size + 1",
    "max(words - size + 1 - strides, 0)",
    cost=SLIP,
)
KEY.mistake(
    "bias_at_each_word",
    "The bias was added for each word of a window: it's added once to the sum.",
    "+ bias",
    "+ bias * size",
    cost=SLIP,
)
KEY.mistake(
    "one_bias_for_all",
    "All kernels got the same bias: each has its own.",
    "+ bias",
    "+ bias[0]",
    cost=SLIP,
)
KEY.mistake(
    "biases_summed",
    "Every kernel got the sum of all biases: each has its own.",
    "+ bias",
    "+ bias.sum()",
    cost=SLIP,
)
KEY.mistake(
    "mean_of_the_window",
    "The products were averaged over the window: they're added up.",
    _SUM,
    "sum(x[:, first + place] @ kernel[place] for place in range(size)) / size + bias",
    cost=SLIP,
)
KEY.mistake(
    "mean_of_all_products",
    "The products were averaged over words and features: they're added up.",
    _SUM,
    "sum(x[:, first + place] @ kernel[place] for place in range(size)) / size / x.shape[2] + bias",
    cost=SLIP,
)
KEY.mistake(
    "bias_averaged_as_well",
    "Sum and bias were divided by the size of the kernel: the products are added up.",
    _SUM,
    "(sum(x[:, first + place] @ kernel[place] for place in range(size)) + bias) / size",
    cost=SLIP,
)
KEY.mistake(
    "first_place_only",
    "Only the first word of each window was used: every place of the window has weights of its "
    "own.",
    "for place in range(size)",
    "for place in range(1)",
)
KEY.mistake(
    "last_place_left_out",
    "The last word of each window is missing: a kernel of width k looks at k words.",
    "for place in range(size)",
    "for place in range(size - 1)",
    cost=SLIP,
)
KEY.mistake(
    "same_weights_at_every_place",
    "The first weights of the kernel were used at every place: each place of the window has its "
    "own.",
    "@ kernel[place]",
    "@ kernel[0]",
)
KEY.mistake(
    "window_summed_first",
    "The weights of all places were added up before they met the words, so the order of words no "
    "longer matters: each place has its own weights.",
    "@ kernel[place]",
    "@ kernel.sum(axis=0)",
)
KEY.mistake(
    "kernels_summed",
    "The sums of all kernels were added up: each kernel gives a number of its own.",
    _SUM,
    "(sum(x[:, first + place] @ kernel[place] for place in range(size)) + bias).sum(axis=-1, "
    "keepdims=True)",
)
KEY.mistake(
    "kernel_axis_dropped",
    "The sums of all kernels became one number: each kernel gives a number of its own.",
    _SUM,
    "(sum(x[:, first + place] @ kernel[place] for place in range(size)) + bias).sum(axis=-1)",
)
KEY.mistake(
    "windows_not_summed",
    "The words of a window are still apart: their products are added up.",
    _SUM,
    "np.stack([x[:, first + place] @ kernel[place] for place in range(size)], axis=2) + bias",
    cost=PART,
)
KEY.mistake(
    "dilated",
    "The strides came between the words of a window: neighbours belong together, and the window "
    "moves.",
    _FIRST,
    "np.arange(words)[: words - (size - 1) * strides]",
    "first + place",
    "first + place * strides",
    cost=SLIP,
)
KEY.mistake(
    "windows_side_by_side",
    "The windows are side by side, each as far from the next as it is wide: the strides say how "
    "far a window moves.",
    ", strides)",
    ", size)",
)
KEY.mistake(
    "steps_forgotten_to_scale",
    "Every window is only one word further than the last one: where does step number t begin?",
    _FIRST,
    "np.arange((words - size) // strides + 1)",
)
KEY.mistake(
    "padded",
    "The text was padded so that windows may extend beyond it: only windows inside the text count.",
    "size, words = len(kernel), x.shape[1]",
    "size = len(kernel)\n"
    "    missing = max((-(-x.shape[1] // strides) - 1) * strides + size - x.shape[1], 0)\n"
    "    x = np.pad(x, [(0, 0), (missing // 2, missing - missing // 2), (0, 0)])\n"
    "    words = x.shape[1]",
    cost=SLIP,
)
KEY.mistake(
    "padded_by_half_a_kernel",
    "The text was padded by half a kernel on both sides: only windows inside the text count.",
    "size, words = len(kernel), x.shape[1]",
    "size = len(kernel)\n"
    "    x = np.pad(x, [(0, 0), (size // 2, size // 2), (0, 0)])\n"
    "    words = x.shape[1]",
    cost=SLIP,
)
KEY.mistake(
    "padded_at_the_beginning",
    "The text was padded at its beginning: only windows inside the text count.",
    "size, words = len(kernel), x.shape[1]",
    "size = len(kernel)\n"
    "    x = np.pad(x, [(0, 0), (size - 1, 0), (0, 0)])\n"
    "    words = x.shape[1]",
    cost=SLIP,
)
KEY.mistake(
    "padded_at_the_end",
    "Windows extend beyond the end of the text: only those inside it count.",
    _FIRST,
    "np.arange(0, words, strides)",
    "x[:, first + place]",
    "np.pad(x, [(0, 0), (0, size), (0, 0)])[:, first + place]",
    cost=SLIP,
)
KEY.mistake(
    "padded_for_the_words_left_over",
    "Words that are left over at the end of the text got a window, filled up with zeros: only "
    "windows inside the text count.",
    _FIRST,
    "strides * np.arange(-(-(words - size) // strides) + 1)",
    "x[:, first + place]",
    "np.pad(x, [(0, 0), (0, strides), (0, 0)])[:, first + place]",
    cost=SLIP,
)
KEY.mistake(
    "filters_before_steps",
    "The axes are in another order: the task asks for (batch, steps, filters).",
    "return {",
    "output = output.swapaxes(1, 2)\n    return {",
    cost=SLIP,
)
KEY.mistake(
    "first_text_only",
    "Only the first text of the batch came back.",
    "x[:, first",
    "x[:1, first",
    cost=SLIP,
)
KEY.mistake(
    "first_text_without_a_batch",
    "Only the first text of the batch came back, without a batch axis.",
    "x[:, first + place]",
    "x[0, first + place]",
    cost=SLIP,
)
KEY.mistake(
    "steps_before_texts",
    "The first axis is that of the steps: texts come first.",
    "return {",
    "output = output.swapaxes(0, 1)\n    return {",
    cost=SLIP,
)
KEY.mistake(
    "squeezed",
    "You dropped every axis of size 1, including a batch of one and a single step.",
    "return {",
    "output = output.squeeze()\n    return {",
    cost=SLIP,
)
KEY.mistake(
    "strides_needed",
    "Without strides, the call fails: they have a default in the task's signature.",
    "size, words = len(kernel), x.shape[1]",
    "size, words = len(kernel), x.shape[1]\n    if strides == 1:\n        raise ValueError",
    cost=SLIP,
    failure="strides|argument",
)


def _some(holds: Callable[[int, int, int | None], Any]) -> Contain:
    """Whether something holds of words, kernel size and strides, None if not given, of a case."""
    return lambda cases: any(
        holds(given["x"].shape[1], len(given["kernel"]), given.get("strides"))
        for case in cases
        for given in (case.inputs,)
    )


INPUT_CLASSES = {
    "no strides given": _some(lambda n, k, s: s is None),
    "strides that leave words over": _some(lambda n, k, s: s and n > k and (n - k) % s),
    "strides that leave nothing over": _some(
        lambda n, k, s: s and s > 1 and n > k and not (n - k) % s
    ),
    "windows that overlap": _some(lambda n, k, s: s and 1 < s < k),
    "words between the windows": _some(lambda n, k, s: s and s > k),
    "a kernel of an even number of words": _some(lambda n, k, s: k % 2 == 0),
    "a kernel of one word": _some(lambda n, k, s: k == 1),
    "a kernel as wide as the text": _some(lambda n, k, s: n == k),
    "a batch of one": lambda cases: any(len(case.inputs["x"]) == 1 for case in cases),
    "a text of zeros": lambda cases: any(not case.inputs["x"].any() for case in cases),
    "words and kernels of one feature": lambda cases: any(
        case.inputs["x"].shape[-1] == 1 for case in cases
    ),
}
