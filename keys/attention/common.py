"""What keys about attention share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def softmax(logits: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """exp(x) / Σ exp(x) along an axis, shifted by the largest logit so that nothing overflows.

    Example:
        >>> softmax(np.array([0.0, np.log(3)])).round(4).tolist()
        [0.25, 0.75]
    """
    shifted = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return shifted / shifted.sum(axis=axis, keepdims=True)


def unshifted_softmax(
    logits: np.ndarray, axis: int | None = -1, epsilon: float = 0.0
) -> np.ndarray:
    """A softmax that overflows, as float32 computes it: a part of mistakes, not of solutions."""
    powers = np.exp(logits.astype(np.float32))
    return powers / (powers.sum(axis=axis, keepdims=True) + np.float32(epsilon))


def masked(logits: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """Logits (..., T, S), below all others where the mask (broadcast to them) is False."""
    return logits if mask is None else np.where(mask, logits, -1e9)


def transposed(x: np.ndarray) -> np.ndarray:
    """Swap the last two axes."""
    return np.swapaxes(x, -1, -2)


def separate_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(B, T, H·d) -> (B, H, T, d): head 1 gets the first d columns, and so on."""
    batch, time, size = x.shape
    return x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)


def combine_heads(x: np.ndarray) -> np.ndarray:
    """(B, H, T, d) -> (B, T, H·d), the inverse of ``separate_heads``."""
    batch, heads, time, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)


def exponential_is(value: float) -> Callable[[np.ndarray], bool]:
    """Whether all scores of some sample have one exponential in float32, such as infinity."""

    def holds(scores: np.ndarray) -> bool:
        with np.errstate(over="ignore"):
            powers = np.exp(scores.astype(np.float32)).reshape(len(scores), -1)
        return bool((powers == value).all(axis=1).any())

    return holds
