"""The key of ``conv1d.receptive_field``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.conv1d.receptive_field import EXERCISE
from keys.input_classes import some_values


def receptive_field(kernel_sizes: Sequence[int], strides: Sequence[int]) -> dict[str, Any]:
    """1 + Σ_l (k_l - 1) Π_{i<l} s_i words from the first to the last one that a step sees.

    Args:
        kernel_sizes: k, from the first layer to the last.
        strides: s, in the same order.

    Returns:
        words; type: of the answer; lists: whether it changed them.

    Reference: Araujo, Norris and Sim, "Computing Receptive Fields of Convolutional Neural Networks"
    (2019), "Computing receptive field size".

    Example:
        >>> receptive_field([7, 7], [3, 3])["words"].item()
        25.0
    """
    words, apart = 1, 1
    for size, stride in zip(kernel_sizes, strides, strict=True):
        words += (size - 1) * apart
        apart *= stride
    return {"words": np.array(float(words)), "type": "int", "lists": "unchanged"}


KEY = Key(EXERCISE, receptive_field)


_ADDED = "words += (size - 1) * apart"
_BOTH = f"{_ADDED}\n        apart *= stride"

KEY.mistake(
    "first_word_forgotten",
    "One word is missing: each layer adds to the word that a step begins with.",
    "words, apart = 1, 1",
    "words, apart = 0, 1",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "skipped_words_not_counted",
    "You counted only the words that have an effect: those that large strides skip, between the "
    "first and the last one, count as well.",
    "    words, apart = 1, 1\n",
    "    words, apart, seen = 1, 1, {0}\n",
    _BOTH,
    "seen = {place + apart * move for place in seen for move in range(size)}\n"
    "        words = len(seen)\n        apart *= stride",
    cost=PART,
)
KEY.mistake(
    "strides_ignored",
    "The strides make no difference: the steps that a window covers lie several words apart.",
    "apart *= stride",
    "pass",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "strides_added_up",
    "You add the strides of the layers below: steps that are 3 words apart, of which every second "
    "one is taken, are 6 words apart.",
    "apart *= stride",
    "apart += stride - 1",
    cost=SLIP,
)
KEY.mistake(
    "own_strides_counted",
    "Each layer's own strides were counted as well: they say how far its window moves, and not how "
    "wide it is.",
    _BOTH,
    "apart *= stride\n        words += (size - 1) * apart",
)
KEY.mistake(
    "own_strides_alone",
    "Each layer's own strides were used: how far apart are the steps that it reads?",
    _BOTH,
    "words += (size - 1) * stride",
)
KEY.mistake(
    "last_strides_only",
    "Only the strides of the layer right below were counted: those of all layers below it "
    "multiply.",
    "apart *= stride",
    "apart = stride",
    cost=SLIP,
)
KEY.mistake(
    "strides_added",
    "The strides of the layers were added up: two layers that move 3 at a time move 9 words at a "
    "time together.",
    "words, apart = 1, 1",
    "words, apart = 1, 0",
    "(size - 1) * apart",
    "(size - 1) * max(apart, 1)",
    "apart *= stride",
    "apart += stride",
)
KEY.mistake(
    "widths_multiplied",
    "The kernel sizes were multiplied: neighbouring windows overlap, so a layer adds to what is "
    "seen.",
    _ADDED,
    "words *= size",
)
for _name, _before, _words in (
    ("widths_added", 0, "words"),
    ("widths_added_or_one", 0, "max(words, 1)"),
    ("widths_added_to_one", 1, "words"),
):
    KEY.mistake(
        _name,
        "The kernel sizes were added up: the windows of two layers share words, and the strides "
        "matter.",
        "words, apart = 1, 1",
        f"words, apart = {_before}, 1",
        _ADDED,
        "words += size",
        '"words": np.array(float(words))',
        f'"words": np.array(float({_words}))',
    )
KEY.mistake(
    "widths_times_strides_added",
    "Each kernel size was multiplied by the strides below it and added: a window of k steps spans "
    "k - 1 distances.",
    "(size - 1) * apart",
    "size * apart",
)
KEY.mistake(
    "widths_times_strides_from_zero",
    "Each kernel size was multiplied by the strides below it: a window of k steps spans k - 1 "
    "distances, and begins with one word.",
    "words, apart = 1, 1",
    "words, apart = 0, 1",
    "(size - 1) * apart",
    "size * apart",
)
KEY.mistake(
    "widths_times_strides_or_one",
    "Each kernel size was multiplied by the strides below it, and the products were added up: a "
    "window of k steps spans k - 1 distances.",
    "words, apart = 1, 1",
    "words, apart = 0, 1",
    "(size - 1) * apart",
    "size * apart",
    '"words": np.array(float(words))',
    '"words": np.array(float(max(words, 1)))',
)
KEY.mistake(
    "layers_reversed",
    "That's the result for the same layers in reverse order: with which layer does your formula "
    "have to begin?",
    "zip(kernel_sizes, strides, strict=True)",
    "zip(kernel_sizes[::-1], strides[::-1], strict=True)",
    cost=SLIP,
)
KEY.mistake(
    "from_the_last_layer_with_widths_below",
    "Coming from the last layer, you multiplied by the strides of the layer above: a layer's own "
    "strides spread what the layer above it sees.",
    _BOTH,
    "words = words + (size - 1) * stride if words > 1 else size",
)
KEY.mistake(
    "last_layer_forgotten",
    "The last layer is missing: it's the one whose step we ask about.",
    "zip(kernel_sizes, strides, strict=True)",
    "list(zip(kernel_sizes, strides, strict=True))[:-1]",
    cost=SLIP,
)
KEY.mistake(
    "first_layer_forgotten",
    "The first layer's kernel is missing: its window is wide as well.",
    _ADDED,
    "words += (size - 1) * apart * (apart > 1)",
    cost=SLIP,
)
KEY.mistake(
    "last_layer_only",
    "That's the kernel size of the last layer: one of its steps reads several steps of the layer "
    "below, and each of them several words.",
    _ADDED,
    "words = size",
    cost=SLIP,
)
KEY.mistake(
    "distance_of_steps",
    "That's how many words lie between the beginnings of two neighbouring steps, and not how many "
    "words one step sees.",
    '"words": np.array(float(words))',
    '"words": np.array(float(apart))',
)
KEY.mistake(
    "two_layers_only",
    "Only the first two layers were counted: any number of layers may follow.",
    "zip(kernel_sizes, strides, strict=True)",
    "list(zip(kernel_sizes, strides, strict=True))[:2]",
    cost=SLIP,
)
KEY.mistake(
    "first_strides_for_all",
    "The strides of the first layer were used for all layers: each has its own.",
    "apart *= stride",
    "apart *= strides[0]",
    cost=SLIP,
)
KEY.mistake(
    "first_width_for_all",
    "The kernel size of the first layer was used for all layers: each has its own.",
    "(size - 1) * apart",
    "(kernel_sizes[0] - 1) * apart",
    cost=SLIP,
)
KEY.mistake(
    "half_widths",
    "Half of each kernel was counted on both sides of a middle word: kernels of even width don't "
    "have one.",
    "(size - 1) * apart",
    "size // 2 * 2 * apart",
    cost=SLIP,
)
KEY.mistake(
    "a_float",
    "Your number of words is a float: the task asks for an int.",
    '"type": "int"',
    '"type": "float"',
    cost=SLIP,
)
KEY.mistake(
    "a_float_with_layers",
    "Your number of words is a float where there are layers: the task asks for an int.",
    '"type": "int"',
    '"type": "float" if kernel_sizes else "int"',
    cost=SLIP,
)
KEY.mistake(
    "lists_emptied",
    "Your code takes the layers out of the lists that it was given: read them, or work on a copy.",
    '"lists": "unchanged"',
    '"lists": "changed" if kernel_sizes else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "lists_extended",
    "You put something into the caller's lists: work on copies.",
    '"lists": "unchanged"',
    '"lists": "changed"',
    cost=SLIP,
)
KEY.mistake(
    "lists_reversed",
    "Your code turns the lists that it was given around: read them, or work on copies.",
    '"lists": "unchanged"',
    '"lists": "changed" if len(kernel_sizes) > 1 else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "a_layer_expected",
    "The function fails when there are no layers: a word then sees itself.",
    "words, apart = 1, 1",
    "words, apart = 1 + 0 * kernel_sizes[0], 1",
    cost=SLIP,
    failure="Index|empty|iterable",
)


INPUT_CLASSES = {
    "no layers": some_values(lambda kernels, strides: not kernels),
    "one layer, with strides": some_values(
        lambda kernels, strides: len(kernels) == 1 and strides[0] > 1
    ),
    "two layers": some_values(lambda kernels, strides: len(kernels) == 2),
    "more than two layers": some_values(lambda kernels, strides: len(kernels) > 2),
    "strides of 1 everywhere": some_values(
        lambda kernels, strides: len(kernels) > 1 and set(strides) == {1}
    ),
    "different kernels and different strides": some_values(
        lambda kernels, strides: (
            len(kernels) > 2 and len({*kernels}) == len({*strides}) == len(kernels)
        )
    ),
    "strides larger than the kernel": some_values(
        lambda kernels, strides: any(
            s > k > 1 for k, s in zip(kernels[:-1], strides[:-1], strict=True)
        )
    ),
    "a kernel of one word, with strides": some_values(
        lambda kernels, strides: any(
            k == 1 < s for k, s in zip(kernels[:-1], strides[:-1], strict=True)
        )
    ),
}
