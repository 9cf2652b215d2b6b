"""Positions as the hands of clocks: what turns all of them by the same number of positions."""

from __future__ import annotations

import numpy as np


def turn(k: int, depth: int) -> np.ndarray:
    """The matrix that turns the encoding of position p into that of p + k, for every p.

    Args:
        k: how many positions further on; negative to go back.
        depth: features of an encoding, even: sines in the even columns, cosines in the odd ones.

    Returns:
        Shape: (depth, depth), to be multiplied by an encoding from the left. Along its diagonal
        there is one rotation per hand.

    Example:
        >>> hand = [np.sin(3.0), np.cos(3.0)]
        >>> np.allclose(turn(2, 2) @ hand, [np.sin(5.0), np.cos(5.0)])
        True

    Reference: Vaswani et al., "Attention Is All You Need" (2017), section 3.5: "for any fixed
    offset k, PE_pos+k can be represented as a linear function of PE_pos".
    """
    matrix = np.zeros((depth, depth))
    even = np.arange(0, depth, 2)
    angles = k / 10000 ** (even / depth)
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(angles)
    matrix[even, even + 1] = np.sin(angles)
    matrix[even + 1, even] = -np.sin(angles)
    return matrix
