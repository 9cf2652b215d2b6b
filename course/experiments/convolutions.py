"""What lesson 02 computes with the convolution and the pooling that its reader has written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

STRIDES = 3
"""Of both convolutions: two neighbouring steps of the second one begin 9 words apart."""

_SIZES = (1000, 32), (7, 32, 128), (7, 128, 128)

_LONGEST = 250

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
        model: provides the weights; its layers are those of ``build_conv1d_classifier``.
        ids: word ids, padded with 0 at the end. Shape: (B, T).
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
        Numbers of all steps and kernels after the relu (50, 26, 128): the same in every call.
    """
    random = np.random.RandomState(4)
    table, *kernels = (
        random.uniform(-limit, limit, size).astype("float32")
        for limit, size in zip((0.05, 0.1, 0.1), _SIZES, strict=True)
    )
    nothing = np.zeros(_SIZES[-1][-1], "float32")
    weights = [table, *(each for kernel in kernels for each in (kernel, nothing))]
    ids = np.zeros((50, _LONGEST), int)
    ids[:, :words] = np.random.RandomState(words).randint(2, len(table), (50, words))
    return np.array(convolved(ids, weights, conv1d))


def steps_with_words(words: int) -> int:
    """How many steps of the second convolution, from the first one on, have a word in their field.

    Args:
        words: of the text, which padding follows.

    Example:
        >>> steps_with_words(9), steps_with_words(10)
        (1, 2)
    """
    return math.ceil(words / STRIDES**2)


def share_won_by_padding(words: int, conv1d: Convolution) -> float:
    """How often the largest number of a kernel over a random text is one of padding alone.

    Args:
        words: of each of the texts of ``of_random_texts``, at most 225.
        conv1d: the reader's.

    Returns:
        The share of the 50 x 128 pairs of a text and a kernel.
    """
    return float(np.mean(_lead_of_padding(of_random_texts(words, conv1d), words) > 0))


def where_padding_wins(words: int, conv1d: Convolution) -> np.ndarray:
    """The numbers that one kernel gives the steps of the first random text.

    Args:
        words: of the text, at most 225.
        conv1d: the reader's.

    Returns:
        Of the kernel in which padding leads by most: the steps with words, then up to three steps
        of padding alone.
    """
    numbers = of_random_texts(words, conv1d)[:1]
    kernel = _lead_of_padding(numbers, words)[0].argmax()
    return numbers[0, : steps_with_words(words) + 3, kernel]


def _lead_of_padding(numbers: np.ndarray, words: int) -> np.ndarray:
    """By how much the largest number of padding alone is above that of steps with words."""
    seeing = steps_with_words(words)
    return numbers[:, seeing:].max(axis=1) - numbers[:, :seeing].max(axis=1)


def of_sixty_words(
    model: keras.Model, length: int, conv1d: Convolution, pool: Pooling
) -> tuple[float, float, float]:
    """What a model with random weights and biases says of a random text of 60 words.

    Args:
        model: of ``build_conv1d_classifier``, with 1000 words; its weights are replaced.
        length: of the array, 60 or more: the text is filled up with 0.
        conv1d: the reader's.
        pool: the reader's masked max pooling.

    Returns:
        The probability of the second class by the model itself, by the reader's functions, and by
        these without a mask.
    """
    random = np.random.RandomState(4)
    model.set_weights([random.normal(0, 0.1, weight.shape) for weight in model.get_weights()])
    ids = np.zeros((1, length), int)
    ids[0, :60] = random.randint(2, 1000, 60)
    by_layers = model.predict(ids, verbose=0)[0, 0]
    masked, unmasked = (
        predicted(model, ids, conv1d, pool, masked=masked)[0] for masked in (True, False)
    )
    return float(by_layers), float(masked), float(unmasked)


def shuffled(ids: np.ndarray, seed: int = 0) -> np.ndarray:
    """The same words in random order, text by text; padding stays at the end.

    Args:
        ids: of words, filled up with 0 at the end. Shape: (B, T).
        seed: another one gives another order.

    Example:
        >>> shuffled(np.array([[5, 6, 7, 0, 0]]))[0, 3:]
        array([0, 0])
    """
    keys = np.random.RandomState(seed).uniform(size=ids.shape)
    return np.take_along_axis(ids, np.where(ids > 0, keys, 2.0).argsort(axis=1), axis=1)
