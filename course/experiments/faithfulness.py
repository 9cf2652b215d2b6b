"""Measures and counterfactuals for attention as an explanation: section 7 of lesson 05."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import tensorflow as tf

PADDING = 0


def kendalls_tau(first: Any, second: Any) -> float:
    """How far two measures put the same things in the same order.

    The share of pairs that both put in the same order, minus the share that they put in opposite
    orders. A pair that is equal in one of them counts for neither.

    Args:
        first, second: one number for each thing. Shape: (things,), at least two.

    Returns:
        From -1, the opposite order, to 1, the same.

    Example:
        >>> round(kendalls_tau([1, 2, 3], [10, 30, 20]), 3)
        0.333

    Reference: Kendall, "A New Measure of Rank Correlation" (1938).
    """
    first, second = np.asarray(first), np.asarray(second)
    pairs = np.triu_indices(len(first), k=1)
    first_signs = np.sign(first[:, None] - first)[pairs]
    second_signs = np.sign(second[:, None] - second)[pairs]
    return float((first_signs * second_signs).mean())


def shuffled_rows(weights: np.ndarray, ids: np.ndarray, seed: int = 0) -> np.ndarray:
    """Give each row's weights to other words of the same text, at random.

    Args:
        weights: of the attention. Shape: (B, T, T).
        ids: of the words; padding is 0 and follows them. Shape: (B, T).
        seed: of the random choice.

    Returns:
        Weights of the same shape; those of padding stay.
    """
    random, other = np.random.RandomState(seed), weights.copy()
    for text, length in enumerate((ids != PADDING).sum(axis=1)):
        for row in other[text, :, :length]:
            random.shuffle(row)
    return other


def total_variation(first: Any, second: Any, ids: np.ndarray) -> Any:
    """How far apart two kinds of weights are: half the sum of the absolute differences of a row.

    Args:
        first, second: weights of the attention, rows that sum to 1. Shape: (B, T, T).
        ids: of the words; padding is 0. Shape: (B, T).

    Returns:
        The mean over the rows of each text's words, from 0 to 1. Shape: (B,).
    """
    by_row = keras.ops.sum(keras.ops.abs(first - second), axis=-1) / 2
    share = (ids != PADDING) / (ids != PADDING).sum(axis=1, keepdims=True)
    return keras.ops.sum(by_row * share.astype("float32"), axis=1)


def searched_weights(
    predict: Callable[[Any], Any],
    own: np.ndarray,
    ids: np.ndarray,
    *,
    steps: int,
    tolerance: float = 0.01,
) -> np.ndarray:
    """Look for weights far from a model's own that leave its predictions nearly as they are.

    Args:
        predict: from weights (B, T, T) to the probability of a class (B,), with gradients.
        own: the model's weights. Shape: (B, T, T).
        ids: of the words; padding is 0. Shape: (B, T).
        steps: of gradient descent, from the shuffled weights.
        tolerance: how much a probability may change; beyond half of it, the loss grows fast.

    Returns:
        Weights of the same shape as the model's own, with none for padding.

    Reference: in the manner of Jain and Wallace, "Attention is not Explanation" (2019), section
    4.2.2, with another distance.
    """
    before = keras.ops.convert_to_numpy(predict(own))
    words = (ids != PADDING)[:, None, :]
    logits = tf.Variable(np.log(shuffled_rows(own, ids) + 1e-6))
    optimizer = keras.optimizers.Adam(0.1)
    optimizer.build([logits])

    @tf.function
    def step() -> None:
        with tf.GradientTape() as tape:
            weights = keras.ops.softmax(keras.ops.where(words, logits, -1e9))
            distance = keras.ops.sum(total_variation(weights, own, ids))
            change = keras.ops.abs(predict(weights) - before)
            excess = keras.ops.sum(keras.ops.relu(change - tolerance / 2))
            loss = 100 * excess - distance
        optimizer.apply_gradients([(tape.gradient(loss, logits), logits)])

    for _ in range(steps):
        step()
    return np.array(keras.ops.softmax(keras.ops.where(words, logits, -1e9)))
