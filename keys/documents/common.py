"""What solutions about documents share."""

from __future__ import annotations

import numpy as np


def distances(query_length: int, key_length: int) -> np.ndarray:
    """Key position minus query position, j - i: integers (query_length, key_length)."""
    return np.arange(key_length) - np.arange(query_length)[:, None]
