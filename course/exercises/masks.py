"""Samples of different lengths, and their padding masks."""

from __future__ import annotations

import numpy as np


def different_lengths(random: np.random.RandomState, batch: int, total: int) -> list[int]:
    """Draw how many tokens of each sample aren't padding.

    Args:
        random: the case's generator.
        batch: how many samples, at least 2 and less than ``total``.
        total: tokens with padding.

    Returns:
        Different numbers between 2, so that weights have something to share, and ``total``. The
        last is always ``total``: what goes wrong without padding would depend on the seed.
    """
    fewer = random.permutation(np.arange(2, total))[: batch - 1]
    return [*map(int, fewer), total]


def length_mask(lengths: list[int], total: int) -> np.ndarray:
    """A padding mask: True for the first ``lengths[i]`` of ``total`` tokens.

    Returns:
        Boolean array (batch, total).

    Example:
        >>> length_mask([1, 0], 2).tolist()
        [[True, False], [False, False]]
    """
    return np.arange(total) < np.array(lengths)[:, None]
