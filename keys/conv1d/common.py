"""What solutions about conv1d share."""

from __future__ import annotations

import re
import string

import numpy as np

# The default settings of tf.strings.lower change the letters from A to Z alone.
LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def standardized(text: str) -> str:
    """Lower case from A to Z; a space for each ``<br />``; no punctuation.

    Example:
        >>> standardized("It's OK!<br />Well-made.")
        'its ok wellmade'
    """
    text = text.translate(LOWER).replace("<br />", " ")
    return re.sub(f"[{re.escape(string.punctuation)}]", "", text)


def masked_max(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The largest number over time, of the steps where the mask is True; 0 where it's never True.

    Args:
        x: (B, T, d).
        mask: (B, T).

    Returns:
        (B, d).

    Example:
        >>> x = np.array([[[-2.0], [-1.0], [5.0]]])
        >>> masked_max(x, np.array([[True, True, False]])).tolist()
        [[-1.0]]
        >>> masked_max(x, np.zeros((1, 3), bool)).tolist()
        [[0.0]]
    """
    largest = np.where(mask[..., None], x, -np.inf).max(axis=1)
    return np.where(mask.any(axis=1, keepdims=True), largest, 0.0)
