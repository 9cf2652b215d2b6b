"""Parts of mistakes about the encoder layer, not of solutions, and mistakes in what is dropped: by
name what each costs, its hint, and the edits of the solution."""

from __future__ import annotations

from math import erf

import numpy as np

from autograder.judging.keys import SLIP

_FIRST_SUM = "inputs + kept[0] * self_attention(inputs, num_heads, mask, w)"

SUMS = {
    "second_sum_adds_the_first_sum": (
        SLIP,
        "The second sum adds what went into the first norm: add what came out of it.",
        "x + kept[1]",
        f"{_FIRST_SUM} + kept[1]",
    ),
    "network_reads_the_first_sum": (
        SLIP,
        "The network gets what went into the first norm: give it what came out.",
        "feed_forward(x, w)",
        f"feed_forward({_FIRST_SUM}, w)",
    ),
    "inputs_added_again": (
        SLIP,
        "The second sum adds the layer's inputs as well: it has only two parts.",
        "x + kept[1]",
        "x + inputs + kept[1]",
    ),
}

HIDDEN_UNITS = {
    "hidden_units_dropped": (
        SLIP,
        "Inside the network, its hidden units are dropped: the task asks for dropout on what the "
        "network gives.",
        "kept[1] * feed_forward(x, w)",
        "feed_forward(x, {**w, 'kept': kept[1]})",
        "np.maximum(hidden, 0)",
        "w['kept'] * np.maximum(hidden, 0)",
    ),
    "hidden_units_dropped_too": (
        SLIP,
        "The network's hidden units are dropped as well: only what attention and the network give "
        "should be.",
        "dropout(rate, 2,",
        "dropout(rate, 3,",
        "feed_forward(x, w)",
        "feed_forward(x, {**w, 'kept': kept[2]})",
        "np.maximum(hidden, 0)",
        "w['kept'] * np.maximum(hidden, 0)",
    ),
}


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the share of a standard normal distribution below it: a part of mistakes, not of
    solutions."""
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2


def batch_norm(
    x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, chances: np.ndarray
) -> np.ndarray:
    """As Keras has it before any training, when the mean is 0 and the variance 1; in training, of
    all outcomes of a token: a part of mistakes, not of solutions."""
    mean, variance = 0.0, 1.0
    if len(chances) > 1:
        outcomes = x.reshape(-1, len(chances), x.shape[-1])
        weights = chances[:, None] / chances.sum()
        mean = (weights * outcomes).sum(axis=1, keepdims=True)
        variance = (weights * (outcomes - mean) ** 2).sum(axis=1, keepdims=True)
        mean, variance = (np.repeat(part, len(chances), axis=0) for part in (mean, variance))
    return gamma * (x - mean) / np.sqrt(variance + 1e-3) + beta


def by_feature(kept: np.ndarray, size: int) -> np.ndarray:
    """Factors of a sum whose second feature is dropped or kept on its own: a part of mistakes, not
    of solutions."""
    factors = np.repeat(kept[0], size, axis=-1)
    factors[..., 1:2] = kept[2]
    return factors
