"""Draw the random inputs of cases, the same on every machine."""

from __future__ import annotations

import numpy as np


def random_state(seed: int) -> np.random.RandomState:
    """The random generator for cases: NumPy guarantees its stream, unlike that of ``Generator``.

    Args:
        seed: 0 or more, below 2**64.
    """
    low, high = seed % 2**32, seed // 2**32
    return np.random.RandomState([low, high] if high else low)


def normal(random: np.random.RandomState, *shape: int) -> np.ndarray:
    """Draw a float32 array of standard normal numbers."""
    return random.standard_normal(shape).astype(np.float32)


def distinct_sizes(random: np.random.RandomState, count: int) -> list[int]:
    """Draw different axis sizes, because equal ones would hide mistakes.

    Args:
        random: the case's generator.
        count: how many sizes, at most 5.

    Returns:
        Different numbers between 2 and 11 that share no divisor.
    """
    return [int(size) for size in random.permutation([2, 3, 5, 7, 11])[:count]]
