"""The transformer encoder as in Vaswani et al., "Attention Is All You Need" (2017).

Shapes: B batch, T tokens, H heads, d_model features of a token, d_ff of the feed-forward network.
"""

from __future__ import annotations

from functools import partial
from math import erf

import numpy as np

from autograder.reference.attention import (
    combine_heads,
    scaled_dot_product_attention,
    separate_heads,
    softmax,
)
from course.exercises.classifiers import DISTRIBUTIONS

EPSILON = 1e-6


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the share of a standard normal distribution below it: a part of mistakes, not of
    solutions."""
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2


def positional_encoding(length: int, depth: int) -> dict[str, np.ndarray]:
    """PE(p, 2i) = sin(p / 10000^(2i/depth)), PE(p, 2i+1) = cos(same), section 3.5.

    Args:
        length: positions.
        depth: features, even.

    Returns:
        encoding: (length, depth).
    """
    column = np.arange(depth)  # 2i and 2i+1 share an exponent
    exponents = (column - column % 2) / depth
    angles = np.arange(length)[:, None] / 10000.0**exponents
    encoding = np.where(column % 2, np.cos(angles), np.sin(angles))
    return {"encoding": encoding}


def token_and_position_embedding(
    token_table: np.ndarray, position_table: np.ndarray, ids: np.ndarray
) -> dict[str, np.ndarray]:
    """The row of each token plus the row of its position.

    Args:
        token_table: (vocabulary_size, embedding_dim).
        position_table: (max_length, embedding_dim).
        ids: (batch, time), time at most max_length.

    Returns:
        output: (batch, time, embedding_dim).
    """
    tokens, positions = token_table[ids], position_table[: ids.shape[1]]
    return {"output": tokens + positions}


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


def encoder_layer(
    inputs: np.ndarray, num_heads: int, mask: np.ndarray | None = None, **w: np.ndarray
) -> dict[str, np.ndarray]:
    """LayerNorm(x + Sublayer(x)) twice, section 3.1, without dropout.

    Args:
        inputs: (batch, time, embedding_dim).
        num_heads: H, a divisor of embedding_dim.
        mask: padding mask (batch, time); True is a token.
        w: kernels, biases, gammas and betas.

    Returns:
        output: (batch, time, embedding_dim).
    """
    norm_1 = partial(layer_norm, gamma=w["gamma_1"], beta=w["beta_1"])
    norm_2 = partial(layer_norm, gamma=w["gamma_2"], beta=w["beta_2"])
    x = norm_1(inputs + self_attention(inputs, num_heads, mask, w))
    return {"output": norm_2(x + feed_forward(x, w))}


def warmup_schedule(d_model: int, warmup_steps: int, steps: np.ndarray) -> dict[str, np.ndarray]:
    """d_model^-0.5 · min(step^-0.5, step · warmup_steps^-1.5), equation 3; 0 at step 0.

    Args:
        d_model: features of a token.
        warmup_steps: at which the rate is highest.
        steps: integers (steps,).

    Returns:
        rates: (steps,).
    """
    step = np.asarray(steps, np.float64)
    climb, fall = step * warmup_steps**-1.5, step**-0.5
    return {"rates": d_model**-0.5 * np.minimum(climb, fall)}


def masked_mean(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mean of each sample's tokens that are no padding: (B, T, d), (B, T) -> (B, d)."""
    shares = mask / mask.sum(axis=1, keepdims=True)
    return (shares[:, :, None] * x).sum(axis=1)


def build_transformer_classifier(
    ids: np.ndarray,
    num_heads: int,
    token_table: np.ndarray,
    position_table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    **w: np.ndarray,
) -> dict[str, np.ndarray]:
    """Embedding, one encoder layer, the mean over the tokens, class probabilities.

    Args:
        ids: (batch, max_length); 0 is padding.
        num_heads: H.
        token_table, position_table: see ``token_and_position_embedding``.
        class_kernel, class_bias: (embedding_dim, num_classes), (num_classes,).
        w: the encoder layer's.

    Returns:
        untrained, probabilities: (batch, num_classes); parameters: (1,), how many numbers are
        learned; rows: what the rows are.
    """
    mask = ids != 0
    embedded = token_and_position_embedding(token_table, position_table, ids)["output"]
    encoded = encoder_layer(embedded, num_heads, mask, **w)["output"]
    pooled = masked_mean(encoded, mask)
    probabilities = softmax(pooled @ class_kernel + class_bias)
    arrays = (token_table, position_table, class_kernel, class_bias, *w.values())
    parameters = np.array([float(sum(array.size for array in arrays))])
    return {
        "untrained": probabilities,
        "probabilities": probabilities,
        "parameters": parameters,
        "rows": DISTRIBUTIONS,
    }
