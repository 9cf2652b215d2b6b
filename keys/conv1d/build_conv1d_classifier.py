"""The key of ``conv1d.build_conv1d_classifier``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Cost, Key
from course.exercises.conv1d.build_conv1d_classifier import (
    APART,
    BETWEEN,
    DIFFERENT,
    EXERCISE,
    FEATURES,
    SAME,
    SHARED,
    SHORTEST,
    WORDS,
    shapes_of,
)
from course.exercises.weights import filled
from keys.attention.common import softmax
from keys.conv1d.masked_max_pooling import masked_max_pooling
from keys.input_classes import Contain


def convolved(x: np.ndarray, kernel: np.ndarray, bias: np.ndarray, strides: int) -> np.ndarray:
    """Σ_j x[t·s + j]·W[j] + b at every step t at which the kernel lies inside the text.

    Args:
        x: (B, T, d).
        kernel: W (k, d, F).
        bias: b (F,).
        strides: s.

    Returns:
        (B, steps, F).

    Raises:
        ValueError: when the text is shorter than the kernel.

    Reference: Kim, "Convolutional Neural Networks for Sentence Classification" (2014), equation 2,
    before its non-linearity.

    Example:
        >>> x, kernel = np.arange(5.0).reshape(1, 5, 1), np.ones((2, 1, 1))
        >>> convolved(x, kernel, np.zeros(1), 3).ravel().tolist()
        [1.0, 7.0]
    """
    windows = np.lib.stride_tricks.sliding_window_view(x, len(kernel), axis=1)
    return np.tensordot(windows[:, ::strides], kernel, ((3, 2), (0, 1))) + bias


def windows_with_words(words: np.ndarray, size: int, strides: int) -> np.ndarray:
    """At which steps of a convolution something inside the window isn't padding.

    Args:
        words: boolean (B, T), False where there's padding.
        size: of the window.
        strides: how far it moves.

    Returns:
        Boolean (B, steps).

    Example:
        >>> windows_with_words(np.array([[True, True, False, False, False]]), 2, 1).tolist()
        [[True, True, False, False]]
    """
    windows = np.lib.stride_tricks.sliding_window_view(words, size, axis=1)
    return windows[:, ::strides].any(axis=2)


def relu(x: np.ndarray) -> np.ndarray:
    """max(x, 0)."""
    return np.maximum(x, 0.0)


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def probabilities(ids: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """Embedding, convolution and convolution (s = 3), maximum of the steps that see words,
    two dense layers.

    Args:
        ids: (B, T).
        weights: embedding (words, d); kernel_1 and kernel_2 (k, d, F) and (k, F, F), bias_1 and
            bias_2 (F,); hidden_kernel and output_kernel (F, hidden) and (hidden, 1), hidden_bias
            and output_bias (hidden,) and (1,).

    Returns:
        (B, 1).

    Raises:
        ValueError: when two convolutions leave nothing of a text.

    Reference: Kim (2014), figure 1, with a second convolution.
    """
    x = weights["embedding"][ids]
    x = relu(convolved(x, weights["kernel_1"], weights["bias_1"], 3))
    x = relu(convolved(x, weights["kernel_2"], weights["bias_2"], 3))
    size = len(weights["kernel_1"])
    words = windows_with_words(windows_with_words(ids != 0, size, 3), size, 3)
    x = masked_max_pooling(x, words)["output"]
    x = relu(x @ weights["hidden_kernel"] + weights["hidden_bias"])
    return sigmoid(x @ weights["output_kernel"] + weights["output_bias"])


def build_conv1d_classifier(
    vocabulary_size: int, embedding_dim: int, ids: np.ndarray, **weights: np.ndarray
) -> dict[str, Any]:
    """A classifier with two convolutions, and what becomes of it in training.

    Args:
        vocabulary_size: rows of the embedding.
        embedding_dim: d.
        ids: (B, T).
        weights: as ``probabilities`` takes them; without any, all are 0.

    Returns:
        predictions: probabilities (B, 1); shape: theirs, as text; rows: B; weights: the shapes of
        all weights, as text; sigmoid: of 3 and -3; dropped: shares of the embedded words, of the
        hidden layer's outputs and of all that is between them that training drops;
        dropped_together: which of the embedded words' numbers; repeats: whether two calls agree.

    Raises:
        ValueError: when two convolutions leave nothing of a text.

    Reference: Srivastava et al., "Dropout" (2014).
    """
    shapes = shapes_of(vocabulary_size, embedding_dim)
    predictions = probabilities(ids, weights) if weights else np.full((len(ids), 1), 0.5)
    return {
        "predictions": predictions,
        "shape": str(predictions.shape),
        "rows": np.array(float(len(ids))),
        "weights": [str(shape) for shape in shapes.values()],
        "sigmoid": sigmoid(np.array([3.0, -3.0])),
        "dropped": np.array([0.5, 0.5, 0.0]),
        "dropped_together": APART,
        "repeats": SAME,
    }


KEY = Key(EXERCISE, build_conv1d_classifier, mutant_sample=72)


_SHAPES = "shapes_of(vocabulary_size, embedding_dim)"
# So much that ⌈T / s⌉ steps come out.
_PAD = (
    "missing = (-x.shape[1] % strides + len(kernel) - strides) * ({})\n"
    "    x = np.pad(x, [(0, 0), (missing // 2, missing - missing // 2), (0, 0)])\n"
    "    windows = np.lib.stride_tricks.sliding_window_view(x"
)
_DROPPED = '"dropped": np.array([0.5, 0.5, 0.0])'


_FIRST = 'relu(convolved(x, weights["kernel_1"], weights["bias_1"], 3))'
_SECOND = 'relu(convolved(x, weights["kernel_2"], weights["bias_2"], 3))'
_HIDDEN = 'relu(x @ weights["hidden_kernel"] + weights["hidden_bias"])'
_OUTPUT = 'sigmoid(x @ weights["output_kernel"] + weights["output_bias"])'
_SIGMOID = "1 / (1 + np.exp(-x))"


def _filled(ids: np.ndarray, shapes: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    return {name: filled(ids, shape) for name, shape in shapes.items()}


def _shaped(name: str, hint: str, *changes: str, cost: Cost = SLIP) -> None:
    """Register a model with other weights, which has no place for those of a case."""
    KEY.mistake(
        name,
        hint,
        "probabilities(ids, weights)",
        "probabilities(ids, _filled(ids, shapes))",
        '"repeats": SAME,',
        "",
        *changes,
        cost=cost,
    )


ACTIVATIONS = {
    "linear_convolutions": (
        PART,
        "The convolutions have no activation: two linear layers in a row amount to one.",
        _FIRST,
        _FIRST[4:],
        _SECOND,
        _SECOND[4:],
    ),
    "linear_first_convolution": (
        PART,
        "The first convolution has no activation: compare it with the task.",
        _FIRST,
        _FIRST[4:],
    ),
    "linear_second_convolution": (
        PART,
        "The second convolution has no activation: compare it with the task.",
        _SECOND,
        _SECOND[4:],
    ),
    "tanh_convolutions": (
        SLIP,
        "The activation of the convolutions is tanh: compare it with the task.",
        _FIRST,
        f"np.tanh{_FIRST[4:]}",
        _SECOND,
        f"np.tanh{_SECOND[4:]}",
    ),
    "tanh_hidden_layer": (
        SLIP,
        "The activation of the hidden Dense layer is tanh: compare it with the task.",
        _HIDDEN,
        f"np.tanh{_HIDDEN[4:]}",
    ),
    "tanh_everywhere": (
        SLIP,
        "The activation of the convolutions and of the hidden Dense layer is tanh: compare it with "
        "the task.",
        "np.maximum(x, 0.0)",
        "np.tanh(x)",
    ),
    "linear_hidden_layer": (
        PART,
        "The hidden Dense layer has no activation: together with the last layer it amounts to one "
        "linear layer.",
        _HIDDEN,
        _HIDDEN[4:],
    ),
    "no_sigmoid": (
        PART,
        "The model returns arbitrary numbers, not probabilities: what is the last layer's "
        "activation?",
        _SIGMOID,
        "x",
    ),
    "tanh_output": (
        SLIP,
        "Predictions lie between -1 and 1: which activation gives a probability?",
        _SIGMOID,
        "np.tanh(x)",
    ),
    "relu_output": (
        SLIP,
        "Predictions are never negative, and not limited to 1: which activation gives a "
        "probability?",
        _SIGMOID,
        "np.maximum(x, 0.0)",
    ),
}

DROPPING = {
    "no_dropout": (
        PART,
        "Nothing is dropped in training: both Dropout layers are missing.",
        (0.0, 0.0, 0.0),
    ),
    "no_dropout_of_words": (
        PART,
        "No embedded words are dropped in training: what comes right after the embedding?",
        (0.0, 0.5, 0.0),
    ),
    "no_dropout_before_the_output": (
        PART,
        "Nothing is dropped between the hidden layer and the output.",
        (0.5, 0.0, 0.0),
    ),
    "dropout_too_often": (
        SLIP,
        "There is a third Dropout layer after a convolution or after the pooling: compare the "
        "order of the layers with the task.",
        (0.5, 0.5, 0.5),
    ),
    "dropout_after_each_convolution": (
        SLIP,
        "There are Dropout layers after both convolutions: compare the order of the layers with "
        "the task.",
        (0.5, 0.5, 0.75),
    ),
    "dropout_of_windows": (
        SLIP,
        "A Dropout layer comes after a convolution or after the pooling, and none after the "
        "embedding: compare the order of the layers with the task.",
        (0.0, 0.5, 0.5),
    ),
    "dropout_before_the_hidden_layer": (
        SLIP,
        "The second Dropout layer comes before the hidden Dense layer: compare the order of the "
        "layers with the task.",
        (0.5, 0.0, 0.5),
    ),
}

WORDS_SEEN = "windows_with_words(windows_with_words(ids != 0, size, 3), size, 3)"
"""At which steps there are words."""


def fitting(starts: str) -> str:
    """The same of other steps, by the ids that their windows begin with."""
    return f"{starts}[:, : x.shape[1]] != 0"


# Texts that are shorter than a kernel fail.
_TOO_SHORT = (
    "np.full((len(ids), 1), 0.5)",
    "np.full((1 if len(ids) == 1 else float('short'), 1), 0.5)",
)

CONVOLUTIONS = {
    "layers_of_another_model": (
        SLIP,
        "Layers that are made outside the function belong to all models that it makes, so a second "
        "one begins with what the first one learned: make them inside.",
        "[str(shape) for shape in shapes.values()]",
        "SHARED",
    ),
    "first_strides_missing": (
        PART,
        "The first convolution moves word by word: it should have the same strides as the second.",
        'weights["bias_1"], 3)',
        'weights["bias_1"], 1)',
        WORDS_SEEN,
        fitting("ids[:, ::3]"),
    ),
    "dilated": (
        SLIP,
        "The words inside a window lie apart, and the window moves word by word: that's dilation, "
        "and the task asks for strides.",
        "sliding_window_view(x, len(kernel), axis=1)",
        "sliding_window_view(x, (len(kernel) - 1) * strides + 1, axis=1)",
        "np.tensordot(windows[:, ::strides]",
        "np.tensordot(windows[..., ::strides]",
        WORDS_SEEN,
        fitting("ids"),
        *_TOO_SHORT,
        # Neighbours are never in the same window.
        '"dropped_together": APART',
        '"dropped_together": FEATURES',
    ),
}

MASKS = {
    "mask_of_the_middle_words": (
        SLIP,
        "The mask looks at the middle word of each receptive field: a field holds words exactly if "
        "it begins with one, because padding comes last.",
        WORDS_SEEN,
        fitting("ids[:, 12:-12:9]"),
    ),
    "plain_max_pooling": (
        PART,
        "Windows of nothing but padding are pooled as well, and where their number is the largest, "
        "they win: the pooling of this model takes a mask.",
        'masked_max_pooling(x, words)["output"]',
        "x.max(axis=1)",
    ),
    "words_zeroed_before_the_convolutions": (
        IDEA,
        "You set the vectors of padding to 0, but a convolution adds its bias to them: what has to "
        "be masked is the steps that are pooled.",
        'weights["embedding"][ids]',
        '(weights["embedding"][ids] * (ids != 0)[..., None])',
        'masked_max_pooling(x, words)["output"]',
        "x.max(axis=1)",
    ),
    "words_zeroed_as_well": (
        SLIP,
        "You set the vectors of padding to 0 as well: the task masks the steps that are pooled, "
        "and nothing else.",
        'weights["embedding"][ids]',
        '(weights["embedding"][ids] * (ids != 0)[..., None])',
    ),
    "full_windows_only": (
        SLIP,
        "Windows that hold words and padding were masked as well: a window counts if there's a "
        "word in it.",
        WORDS_SEEN,
        "~windows_with_words(windows_with_words(ids == 0, size, 3), size, 3)",
    ),
    "unknown_words_masked": (
        SLIP,
        "The mask hides unknown words, too: which ids are padding?",
        "ids != 0",
        "ids > 1",
    ),
    "mask_of_the_first_ids": (
        IDEA,
        "Step number t got the mask of word number t: where in the text does the window of a step "
        "begin?",
        WORDS_SEEN,
        fitting("ids"),
    ),
    "mask_three_words_apart": (
        SLIP,
        "The windows in your mask begin 3 words apart: after two convolutions, each with strides, "
        "how far apart do they begin?",
        WORDS_SEEN,
        fitting("ids[:, ::3]"),
    ),
    "mask_six_words_apart": (
        SLIP,
        "The windows in your mask begin 6 words apart: the strides of two convolutions multiply.",
        WORDS_SEEN,
        fitting("ids[:, ::6]"),
    ),
    "mask_of_padding": (
        SLIP,
        "The mask is True where there's padding: True is a window that counts.",
        WORDS_SEEN,
        f"~{WORDS_SEEN}",
        # A text of words alone has nothing to pool, whatever is dropped.
        '"dropped": np.array([0.5, 0.5, 0.0])',
        '"dropped": np.array([1.0, 0.5, 1.0])',
    ),
}

KEY.mistake(
    "strides_missing",
    "The convolutions move word by word: both should take larger strides.",
    "np.tensordot(windows[:, ::strides]",
    "np.tensordot(windows",
    WORDS_SEEN,
    fitting("ids"),
    cost=PART,
)
KEY.mistake(
    "second_strides_missing",
    "The second convolution moves step by step: it should have the same strides as the first.",
    'weights["bias_2"], 3)',
    'weights["bias_2"], 1)',
    WORDS_SEEN,
    fitting("ids[:, ::3]"),
    cost=PART,
)
KEY.mistake(
    "padded_convolutions",
    "The convolutions pad the text: a window that isn't completely inside it shouldn't count.",
    "windows = np.lib.stride_tricks.sliding_window_view(x",
    _PAD.format(1),
    WORDS_SEEN,
    fitting("ids[:, ::9]"),
    cost=SLIP,
)
KEY.mistake(
    "padded_second_convolution",
    "The second convolution pads what it gets: like the first one, it should have no padding.",
    "windows = np.lib.stride_tricks.sliding_window_view(x",
    # Only the second one has as many inputs as outputs.
    _PAD.format("x.shape[-1] == len(bias)"),
    WORDS_SEEN,
    fitting("ids[:, ::9]"),
    cost=SLIP,
)
KEY.mistake(
    "causal_convolutions",
    "The convolutions pad the text at its beginning: a window that isn't completely inside it "
    "shouldn't count.",
    "windows = np.lib.stride_tricks.sliding_window_view(x",
    "x = np.pad(x, [(0, 0), (len(kernel) - 1, 0), (0, 0)])\n"
    "    windows = np.lib.stride_tricks.sliding_window_view(x",
    WORDS_SEEN,
    fitting("ids[:, ::9]"),
    cost=SLIP,
)
KEY.mistake(
    "average_pooling",
    "You took the mean over time: which pooling finds the one phrase that decides?",
    'masked_max_pooling(x, words)["output"]',
    "(x * words[..., None]).sum(axis=1) / np.maximum(words.sum(axis=1, keepdims=True), 1)",
)
KEY.mistake(
    "average_of_all_steps",
    "You took the mean over time, padding included: which pooling finds the one phrase that "
    "decides, wherever the text ends?",
    'masked_max_pooling(x, words)["output"]',
    "x.mean(axis=1)",
)
for _name, _cost, _hint, *_edits in (
    (
        "mask_of_other_steps",
        IDEA,
        "The mask has another length than what is pooled: how many steps does the second "
        "convolution leave, and where do their windows begin?",
        WORDS_SEEN,
        "ids != 0",
    ),
    (
        "strides_in_the_mask_only",
        PART,
        "The mask has fewer steps than the second convolution: both convolutions should take "
        "larger strides.",
        "np.tensordot(windows[:, ::strides]",
        "np.tensordot(windows",
    ),
):
    KEY.mistake(
        _name,
        _hint,
        *_edits,
        # Only where one step is left does any mask fit.
        "np.full((len(ids), 1), 0.5)",
        "np.full((float('other shapes'), 1), 0.5)",
        cost=_cost,
        failure="broadcast|shape",
    )
for _name, (_cost, _hint, *_edits) in MASKS.items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)
KEY.mistake(
    "softmax_of_one",
    "Every prediction is 1: a softmax splits 1 among its outputs, and there is only one.",
    "1 / (1 + np.exp(-x))",
    "np.ones_like(x)",
    # No output changes when something is dropped.
    _DROPPED,
    '"dropped": np.array([1.0, 1.0, 1.0])',
    cost=SLIP,
)
for _name, (_cost, _hint, *_edits) in ACTIVATIONS.items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)
KEY.mistake(
    "dropout_always",
    "Two calls on the same ids give different predictions: something is dropped even outside "
    "training.",
    '"repeats": SAME',
    '"repeats": DIFFERENT',
    cost=SLIP,
)
for _name, _together, _dropped in (
    ("spatial_dropout", "FEATURES", "a number is dropped from all words of a text"),
    ("whole_words_dropped", "WORDS", "all numbers of a word are dropped"),
):
    KEY.mistake(
        _name,
        f"In training, {_dropped} at once: the task asks for a Dropout that chooses each number on "
        "its own.",
        '"dropped_together": APART',
        f'"dropped_together": {_together}',
        cost=SLIP,
    )
for _name, (_cost, _hint, _shares) in DROPPING.items():
    KEY.mistake(_name, _hint, _DROPPED, f'"dropped": np.array({list(_shares)})', cost=_cost)
for _name, (_cost, _hint, *_edits) in CONVOLUTIONS.items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)
for _size in (3, 5):
    _shaped(
        f"kernels_of_{_size}",
        f"The kernels span {_size} words: compare them with the task.",
        _SHAPES,
        f"{_SHAPES} | {{'kernel_1': ({_size}, embedding_dim, 128),"
        f" 'kernel_2': ({_size}, 128, 128)}}",
    )
for _filters in (32, 64):
    _shaped(
        f"only_{_filters}_filters",
        f"The convolutions have {_filters} filters: compare them with the task.",
        _SHAPES,
        f"{_SHAPES} | {{'kernel_1': (7, embedding_dim, {_filters}), 'bias_1': ({_filters},),"
        f" 'kernel_2': (7, {_filters}, {_filters}), 'bias_2': ({_filters},),"
        f" 'hidden_kernel': ({_filters}, 128)}}",
    )
for _units in (32, 64):
    _shaped(
        f"hidden_layer_of_{_units}",
        f"The hidden Dense layer has {_units} outputs: compare it with the task.",
        _SHAPES,
        f"{_SHAPES} | {{'hidden_kernel': (128, {_units}), 'hidden_bias': ({_units},),"
        f" 'output_kernel': ({_units}, 1)}}",
    )
_shaped(
    "hidden_layer_missing",
    "The pooled numbers go straight to the output: a hidden Dense layer is missing.",
    "for shape in shapes.values()",
    "for name, shape in shapes.items() if 'hidden' not in name",
    _HIDDEN,
    "x",
    cost=PART,
)
_shaped(
    "one_convolution",
    "There is only one convolution: a second one sees phrases of phrases.",
    "for shape in shapes.values()",
    "for name, shape in shapes.items() if '_2' not in name",
    _SECOND,
    "x",
    WORDS_SEEN,
    "windows_with_words(ids != 0, size, 3)",
    cost=PART,
)
for _more, _rows in enumerate(("one row", "two rows"), 1):
    _shaped(
        f"{_rows.replace(' ', '_')}_more",
        f"The embedding has {_rows} too many: padding and unknown words are already in the "
        "vocabulary.",
        "shapes_of(vocabulary_size,",
        f"shapes_of(vocabulary_size + {_more},",
    )
for _name, _argument, _in_place, _hint in (
    ("always_32_features", "embedding_dim)", "32)", "Words have 32 features, as in the lesson"),
    ("always_20000_rows", "(vocabulary_size", "(20_000", "The embedding always has 20,000 rows"),
):
    _shaped(
        _name,
        f"{_hint}: take the argument.",
        _SHAPES,
        _SHAPES.replace(_argument, _in_place),
    )
_shaped(
    "frozen_embedding",
    "The embedding isn't trained: its rows are learned like all other weights.",
    "for shape in shapes.values()",
    "for name, shape in shapes.items() if name != 'embedding'",
    # Nothing is known of what comes first.
    f"{_DROPPED},",
    "",
    '"dropped_together": APART,',
    "",
)
_shaped(
    "no_biases",
    "The convolutions have no biases: the task's convolutions add one to each sum.",
    "for shape in shapes.values()",
    "for name, shape in shapes.items() if name not in ('bias_1', 'bias_2')",
    'weights["bias_1"]',
    "0.0",
    'weights["bias_2"]',
    "0.0",
)
_shaped(
    "two_outputs",
    "There are two outputs: for two classes, one probability is enough.",
    _OUTPUT,
    f"softmax{_OUTPUT[7:]}",
    "str(predictions.shape)",
    "str((len(ids), 2))",
    _SHAPES,
    f"{_SHAPES} | {{'output_kernel': (128, 2), 'output_bias': (2,)}}",
    '"sigmoid": sigmoid(np.array([3.0, -3.0])),',
    "",
)
KEY.mistake(
    "sizes_swapped",
    "The embedding's two sizes are swapped: it has a row for each entry of the vocabulary.",
    _SHAPES,
    "shapes_of(embedding_dim, vocabulary_size)",
    # Only the ids of the measurements are small enough.
    "probabilities(ids, weights) if weights else ",
    "",
    "np.full((len(ids), 1), 0.5)",
    "np.full((1 if len(ids) == 1 else float('too large'), 1), 0.5)",
    cost=SLIP,
    failure="is not in",
)


def _texts(holds: Callable[[np.ndarray], Any]) -> Contain:
    """Whether something holds of the ids of some case."""
    return lambda cases: any(holds(case.inputs["ids"]) for case in cases)


def _words(ids: np.ndarray) -> list[int]:
    """How many words each text has that has padding."""
    return [int(words) for words in (ids > 0).sum(axis=1) if words < ids.shape[1]]


INPUT_CLASSES = {
    "a text that leaves one step": _texts(lambda ids: ids.shape[1] == SHORTEST),
    "a text that leaves several steps": _texts(lambda ids: ids.shape[1] >= SHORTEST + 18),
    "words that no window reaches": _texts(lambda ids: (ids.shape[1] - SHORTEST) % 9),
    "two lengths of texts": lambda cases: len({case.inputs["ids"].shape[1] for case in cases}) > 1,
    "padding": _texts(lambda ids: (ids[:, -1] == 0).any() and (ids[:, -1] > 0).any()),
    "windows of nothing but padding": _texts(
        lambda ids: ids.any(axis=1).all() and not ids[:, -SHORTEST:].any()
    ),
    "a text shorter than a window": _texts(
        lambda ids: ((ids > 0).sum(axis=1) > 0).all() and ((ids > 0).sum(axis=1) < SHORTEST).any()
    ),
    "a text of one word": _texts(lambda ids: ((ids > 0).sum(axis=1) == 1).any()),
    "an unknown word, alone in a text and beside others": lambda cases: all(
        any(
            1 in ids and len({*ids.tolist()} - {0}) in counts
            for case in cases
            for ids in case.inputs["ids"]
        )
        for counts in ({1}, range(2, 100))
    ),
    "a window that begins with the last word": _texts(
        lambda ids: any((words - 1) % BETWEEN == 0 < words - 1 for words in _words(ids))
    ),
    "a text of padding alone": _texts(lambda ids: not ids.any(axis=1).all()),
    "a text alone": _texts(lambda ids: len(ids) == 1),
    "several texts": _texts(lambda ids: len(ids) > 2),
    "the last word of the vocabulary, and weights": lambda cases: any(
        "kernel_1" in case.inputs and case.inputs["ids"].max() == case.inputs["vocabulary_size"] - 1
        for case in cases
    ),
}
