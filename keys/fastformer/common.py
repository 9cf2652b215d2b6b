"""What solutions about fastformer share."""

from __future__ import annotations

import numpy as np

from keys.attention.common import combine_heads, separate_heads
from keys.fastformer.additive_pooling import additive_pooling


def pool_by_head(
    x: np.ndarray, scores: np.ndarray, num_heads: int, mask: np.ndarray | None = None
) -> np.ndarray:
    """The pooled tokens (B, 1, H·d): each head's features by its own scores, over √d.

    Args:
        x: tokens (B, T, H·d).
        scores: (B, T, H).
        num_heads: H.
        mask: padding mask (B, T).
    """
    heads = separate_heads(x, num_heads)
    by_head = np.swapaxes(scores, 1, 2) / np.sqrt(heads.shape[-1])
    pooled = additive_pooling(heads, by_head, None if mask is None else mask[:, None, :])
    return combine_heads(pooled["output"][:, :, None, :])
