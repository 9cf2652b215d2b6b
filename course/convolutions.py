"""What lesson 02 computes with the convolution and the pooling that its reader has written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

STRIDES = 3
"""Of both convolutions: two neighbouring steps of the second one begin 9 words apart."""

_SIZES = (1000, 32), (7, 32, 128), (7, 128, 128)

Convolution = Callable[..., Any]
"""Takes x (B, T, d), a kernel (k, d, F), a bias (F,) and strides; gives (B, steps, F)."""

Pooling = Callable[[Any, Any], Any]
"""Takes x (B, steps, F) and a mask (B, steps); gives (B, F)."""


def convolved(ids: np.ndarray, weights: Sequence[np.ndarray], conv1d: Convolution) -> Any:
    """Embed words and apply two convolutions, each followed by a relu.

    Args:
        ids: of words. Shape: (B, T).
        weights: the embedding (V, d), then kernel and bias of each convolution.
        conv1d: the reader's.

    Returns:
        A tensor (B, steps, F).
    """
    table, *layers = weights
    x = ops.convert_to_tensor(table[ids])
    for kernel, bias in zip(layers[0::2], layers[1::2], strict=True):
        x = ops.relu(conv1d(x, kernel, bias, strides=STRIDES))
    return x


def predicted(
    model: keras.Model,
    ids: np.ndarray,
    conv1d: Convolution,
    pool: Pooling,
    *,
    masked: bool = True,
) -> np.ndarray:
    """Compute what the lesson's classifier predicts, by the reader's functions.

    Args:
        model: whose weights are used; its layers are those of ``build_conv1d_classifier``.
        ids: of words, filled up with 0 at the end. Shape: (B, T).
        conv1d: the reader's.
        pool: the reader's masked max pooling.
        masked: whether windows of nothing but padding are left out.

    Returns:
        The probability of the second class. Shape: (B,).
    """
    weights = model.get_weights()
    x = convolved(ids, weights[:5], conv1d)
    begins = STRIDES**2 * np.arange(x.shape[1])
    counts = begins < np.sum(ids > 0, axis=1, keepdims=True) if masked else begins >= 0
    mask = np.broadcast_to(counts, x.shape[:2])
    hidden, hidden_bias, output, output_bias = weights[5:]
    x = ops.relu(ops.matmul(pool(x, ops.convert_to_tensor(mask)), hidden) + hidden_bias)
    return np.array(ops.sigmoid(ops.matmul(x, output) + output_bias))[:, 0]


def of_random_texts(words: int, conv1d: Convolution) -> np.ndarray:
    """Two convolutions with random weights and no biases, over fifty random texts.

    Args:
        words: of each text, which is filled up to 250.
        conv1d: the reader's.

    Returns:
        Numbers of all steps and kernels (50, 26, 128): the same in every call.
    """
    random = np.random.RandomState(4)
    table, *kernels = (
        random.uniform(-limit, limit, size).astype("float32")
        for limit, size in zip((0.05, 0.1, 0.1), _SIZES, strict=True)
    )
    nothing = np.zeros(_SIZES[-1][-1], "float32")
    weights = [table, *(each for kernel in kernels for each in (kernel, nothing))]
    ids = np.zeros((50, 250), int)
    ids[:, :words] = np.random.RandomState(words).randint(2, len(table), (50, words))
    return np.array(convolved(ids, weights, conv1d))
