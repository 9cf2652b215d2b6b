"""Attention as in Vaswani et al., "Attention Is All You Need" (2017), section 3.2.

Shapes: B batch, T query length, S key length, H heads, d_k and d_v depth of keys and values.
A query that may attend to nothing shares its weights evenly.
"""

from __future__ import annotations

import numpy as np


def softmax(logits: np.ndarray, axis: int = -1) -> np.ndarray:
    """exp(x) / Σ exp(x) along an axis, shifted by the largest logit so that nothing overflows.

    Example:
        >>> softmax(np.array([0.0, np.log(3)])).round(4).tolist()
        [0.25, 0.75]
    """
    shifted = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return shifted / shifted.sum(axis=axis, keepdims=True)


def unshifted_softmax(logits: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """A softmax that overflows, as float32 computes it: a part of mistakes, not of solutions."""
    powers = np.exp(logits.astype(np.float32))
    return powers / powers.sum(axis=axis, keepdims=True)


def masked(logits: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """Logits (..., T, S), below all others where the mask (broadcast to them) is False."""
    return logits if mask is None else np.where(mask, logits, -1e9)


def transposed(x: np.ndarray) -> np.ndarray:
    """Swap the last two axes."""
    return np.swapaxes(x, -1, -2)


def average_attention(hidden: np.ndarray, context: np.ndarray) -> dict[str, np.ndarray]:
    """Weighted mean over time, with weights softmax(h·u/√d).

    Args:
        hidden: hidden states h (batch, time, features).
        context: context vector u (features,).

    Returns:
        output: (batch, features).

    Reference: Yang et al., "Hierarchical Attention Networks" (2016), equations 6 and 7, with the
    scaled dot product as the score.
    """
    scores = hidden @ context / np.sqrt(hidden.shape[-1])
    weights = softmax(scores, axis=1)
    return {"output": (weights[..., None] * hidden).sum(axis=1)}


def scaled_dot_product_attention(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, mask: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Attention(Q, K, V) = softmax(QKᵀ/√d_k)V, equation 1.

    Args:
        query: (..., T, d_k).
        key: (..., S, d_k).
        value: (..., S, d_v).
        mask: boolean, broadcasts to (..., T, S); True may be attended to.

    Returns:
        output: (..., T, d_v); weights: (..., T, S).
    """
    logits = masked(query @ transposed(key) / np.sqrt(key.shape[-1]), mask)
    weights = softmax(logits)
    return {"output": weights @ value, "weights": weights}


def separate_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(B, T, H·d) -> (B, H, T, d): head h gets the columns h·d to (h+1)·d."""
    batch, time, size = x.shape
    return x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)


def combine_heads(x: np.ndarray) -> np.ndarray:
    """(B, H, T, d) -> (B, T, H·d), the inverse of ``separate_heads``."""
    batch, heads, time, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)


def multi_head_self_attention(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    by_head: np.ndarray,
    mask: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """MultiHead(X) = Concat(head_1, ..., head_H)W^O, section 3.2.2, queries = keys = values = X.

    Args:
        inputs: X (batch, time, hidden_size).
        num_heads: H, a divisor of hidden_size.
        query_kernel, key_kernel, value_kernel, output_kernel: (hidden_size, hidden_size) each.
        by_head: what heads could give (B, H, T, d), to be combined.
        mask: padding mask (batch, time); True is a token, False padding.

    Returns:
        output: (batch, time, hidden_size); separated: the inputs by head (B, H, T, d);
        combined: by_head as (B, T, H·d); the projections with biases: none; the axes of one size
        only: none.
    """
    query, key, value = inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel
    query, key, value = (separate_heads(x, num_heads) for x in (query, key, value))
    by_key = None if mask is None else mask[:, None, None, :]
    heads = scaled_dot_product_attention(query, key, value, by_key)["output"]
    return {
        "output": combine_heads(heads) @ output_kernel,
        "separated": separate_heads(inputs, num_heads),
        "combined": combine_heads(by_head),
        "biases": [],
        "fixed_axes": [],
    }
