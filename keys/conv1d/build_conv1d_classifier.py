"""The key of ``conv1d.build_conv1d_classifier``."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import Key
from course.exercises.conv1d.build_conv1d_classifier import EXERCISE


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
    windows = np.lib.stride_tricks.sliding_window_view(x, len(kernel), axis=1)[:, ::strides]
    return np.tensordot(windows, kernel, ((3, 2), (0, 1))) + bias


def relu(x: np.ndarray) -> np.ndarray:
    """max(x, 0)."""
    return np.maximum(x, 0.0)


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def build_conv1d_classifier(
    vocabulary_size: int,
    embedding_dim: int,
    ids: np.ndarray,
    embedding: np.ndarray,
    kernel_1: np.ndarray,
    bias_1: np.ndarray,
    kernel_2: np.ndarray,
    bias_2: np.ndarray,
    hidden_kernel: np.ndarray,
    hidden_bias: np.ndarray,
    output_kernel: np.ndarray,
    output_bias: np.ndarray,
) -> dict[str, Any]:
    """Embedding, convolution and convolution (k = 7, s = 3), maximum over time, two dense layers.

    Args:
        vocabulary_size: rows of the embedding.
        embedding_dim: d.
        ids: (B, T).
        embedding: (vocabulary_size, d).
        kernel_1, kernel_2: (7, d, F) and (7, F, F).
        bias_1, bias_2: (F,).
        hidden_kernel, output_kernel: (F, hidden) and (hidden, 1).
        hidden_bias, output_bias: (hidden,) and (1,).

    Returns:
        predictions: probabilities (B, 1); shape: theirs, as text; rows: B; weights: the shapes of
        all weights, as text; sigmoid: of 3 and -3; dropped: shares of the embedded words and of
        the hidden layer's outputs that training drops.

    Raises:
        ValueError: when two convolutions leave nothing of a text.

    Reference: Kim (2014), figure 1, with a second convolution; Srivastava et al., "Dropout" (2014).
    """
    x = relu(convolved(embedding[ids], kernel_1, bias_1, 3))
    x = relu(convolved(x, kernel_2, bias_2, 3)).max(axis=1)
    x = relu(x @ hidden_kernel + hidden_bias)
    weights = (embedding, kernel_1, bias_1, kernel_2, bias_2)
    weights += (hidden_kernel, hidden_bias, output_kernel, output_bias)
    predictions = sigmoid(x @ output_kernel + output_bias)
    return {
        "predictions": predictions,
        "shape": str(predictions.shape),
        "rows": np.array(float(len(ids))),
        "weights": [str(weight.shape) for weight in weights],
        "sigmoid": sigmoid(np.array([3.0, -3.0])),
        "dropped": np.array([0.5, 0.5]),
    }


KEY = Key(EXERCISE, build_conv1d_classifier)

_classifier = partial(KEY.mistake, alone=True)

_DROPPED = '"dropped": np.array([0.5, 0.5])'


def _shaped(name: str, hint: str, *changes: str) -> None:
    """Register a model with other weights, whose numbers are therefore not judged."""
    _classifier(name, hint, '"predictions": predictions,', "", *changes)


_classifier(
    "strides_missing",
    "The convolutions move word by word: both should take larger strides.",
    "[:, ::strides]",
    "",
)
_classifier(
    "second_strides_missing",
    "The second convolution moves step by step: it should have the same strides as the first.",
    "bias_2, 3)",
    "bias_2, 1)",
)
_classifier(
    "padded_convolutions",
    "The convolutions pad the text: a window that isn't completely inside it shouldn't count.",
    # So much that ⌈T / s⌉ steps come out.
    "windows = ",
    "missing = -x.shape[1] % strides + len(kernel) - strides\n"
    "    x = np.pad(x, [(0, 0), (missing // 2, missing - missing // 2), (0, 0)])\n"
    "    windows = ",
)
_classifier(
    "average_pooling",
    "You took the mean over time: which pooling finds the one phrase that decides?",
    ".max(axis=1)",
    ".mean(axis=1)",
)
_classifier(
    "linear_convolutions",
    "The convolutions have no activation: two linear layers in a row amount to one.",
    "relu(convolved(embedding[ids], kernel_1, bias_1, 3))",
    "convolved(embedding[ids], kernel_1, bias_1, 3)",
    "relu(convolved(x, kernel_2, bias_2, 3))",
    "convolved(x, kernel_2, bias_2, 3)",
)
_classifier(
    "linear_hidden_layer",
    "The hidden Dense layer has no activation: together with the last layer it amounts to one "
    "linear layer.",
    "relu(x @ hidden_kernel + hidden_bias)",
    "x @ hidden_kernel + hidden_bias",
)
_classifier(
    "no_sigmoid",
    "The model returns arbitrary numbers, not probabilities: what is the last layer's activation?",
    "1 / (1 + np.exp(-x))",
    "x",
)
_classifier(
    "softmax_of_one",
    "Every prediction is 1: a softmax splits 1 among its outputs, and there is only one.",
    "1 / (1 + np.exp(-x))",
    "np.ones_like(x)",
    # No output changes when something is dropped.
    _DROPPED,
    '"dropped": np.array([1.0, 1.0])',
)
_classifier(
    "tanh_output",
    "Predictions lie between -1 and 1: which activation gives a probability?",
    "1 / (1 + np.exp(-x))",
    "np.tanh(x)",
)
_classifier(
    "no_dropout",
    "Nothing is dropped in training: both Dropout layers are missing.",
    _DROPPED,
    '"dropped": np.array([0.0, 0.0])',
)
_classifier(
    "no_dropout_of_words",
    "No embedded words are dropped in training: what comes right after the embedding?",
    _DROPPED,
    '"dropped": np.array([0.0, 0.5])',
)
_classifier(
    "no_dropout_before_the_output",
    "Nothing is dropped between the hidden layer and the output.",
    _DROPPED,
    '"dropped": np.array([0.5, 0.0])',
)
for _size in (3, 5):
    _shaped(
        f"kernels_of_{_size}",
        f"The kernels span {_size} words: compare them with the task.",
        "(embedding, kernel_1, bias_1, kernel_2, bias_2)",
        f"(embedding, kernel_1[:{_size}], bias_1, kernel_2[:{_size}], bias_2)",
    )
for _filters in (32, 64):
    _shaped(
        f"only_{_filters}_filters",
        f"The convolutions have {_filters} filters: compare them with the task.",
        "kernel_1, bias_1, kernel_2, bias_2)",
        f"kernel_1[..., :{_filters}], bias_1[:{_filters}],"
        f" kernel_2[:, :{_filters}, :{_filters}], bias_2[:{_filters}])",
        "(hidden_kernel",
        f"(hidden_kernel[:{_filters}]",
    )
_shaped(
    "hidden_layer_missing",
    "The pooled numbers go straight to the output: a hidden Dense layer is missing.",
    "hidden_kernel, hidden_bias, output_kernel",
    "output_kernel",
)
_shaped(
    "one_convolution",
    "There is only one convolution: a second one sees phrases of phrases.",
    ", kernel_2, bias_2)",
    ")",
)
_shaped(
    "one_row_more",
    "The embedding has one row too many: padding and unknown words are already in the vocabulary.",
    "(embedding, ",
    "(np.zeros((vocabulary_size + 1, embedding_dim)), ",
)
_shaped(
    "two_outputs",
    "There are two outputs: for two classes, one probability is enough.",
    "weights = (",
    "output_kernel, output_bias = np.repeat(output_kernel, 2, axis=1), np.repeat(output_bias, 2)\n"
    "    weights = (",
    '"sigmoid": sigmoid(np.array([3.0, -3.0])),',
    "",
)
