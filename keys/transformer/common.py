"""What solutions about transformer share."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from keys.attention.common import combine_heads, separate_heads
from keys.attention.scaled_dot_product_attention import scaled_dot_product_attention

EPSILON = 1e-6


def layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """γ (x - μ) / √(σ² + ε) + β over the last axis: Ba et al., "Layer Normalization" (2016)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + EPSILON) + beta


def self_attention(inputs: np.ndarray, num_heads: int, mask: np.ndarray | None, w: dict):
    """Multi-head attention with biases, queries = keys = values (section 3.2.2).

    Args:
        inputs: (batch, time, d_model).
        num_heads: H.
        mask: padding mask (batch, time).
        w: kernels and biases by role, such as ``w["query_kernel"]``.
    """
    query, key, value = (
        separate_heads(inputs @ w[f"{role}_kernel"] + w[f"{role}_bias"], num_heads)
        for role in ("query", "key", "value")
    )
    by_key = None if mask is None else mask[:, None, None, :]
    heads = scaled_dot_product_attention(query, key, value, by_key)["output"]
    return combine_heads(heads) @ w["output_kernel"] + w["output_bias"]


def feed_forward(x: np.ndarray, w: dict) -> np.ndarray:
    """max(0, xW₁ + b₁)W₂ + b₂, equation 2."""
    hidden = x @ w["expand_kernel"] + w["expand_bias"]
    return np.maximum(hidden, 0) @ w["contract_kernel"] + w["contract_bias"]


def masked_mean(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mean of each sample's tokens that aren't padding: (B, T, d), (B, T) -> (B, d)."""
    shares = mask / mask.sum(axis=1, keepdims=True)
    return (shares[:, :, None] * x).sum(axis=1)


@cache
def dropout(rate: float | None, places: int, texts: int) -> tuple[np.ndarray, np.ndarray]:
    """What dropout can do with one number in each of some places, and how likely each of it is:
    Srivastava et al., "Dropout" (2014), with numbers that are kept divided by 1 - rate.

    Args:
        rate: None when predicting, when nothing is dropped.
        places: how many there are.
        texts: the outcomes are repeated for each of them.

    Returns:
        Factors (places, texts · outcomes, 1, 1) and chances (outcomes,).
    """
    if rate is None:
        return np.ones((places, 1, 1, 1)), np.ones(1)
    kept = np.array(list(product((0, 1), repeat=places)), float)
    chances = np.where(kept, 1 - rate, rate).prod(axis=1)
    kept, chances = kept[chances > 0], chances[chances > 0]
    return np.tile(kept.T / (1 - rate), texts)[:, :, None, None], chances
