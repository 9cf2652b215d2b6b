"""How well people agree about the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_DRAWS = 2_000
_LEVEL = 0.95
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Agreement:
    """How well people agree about some answers.

    Args:
        twice: how many answers have more than one mark.
        alpha: Krippendorff's; None where nothing can show it.
        interval: in which alpha lies with 95 % confidence.
    """

    twice: int
    alpha: float | None
    interval: tuple[float, float] | None


def agreement(units: Sequence[Sequence[float]]) -> Agreement:
    """Krippendorff's alpha with its interval; for ``units``, see ``krippendorff_alpha``."""
    twice = sum(len(marks) > 1 for marks in units)
    return Agreement(twice, krippendorff_alpha(units), alpha_interval(units))


def krippendorff_alpha(units: Sequence[Sequence[float]]) -> float | None:
    """Krippendorff's alpha for points: 1 where all agree, 0 where they agree as if by chance.

    The difference of two marks counts by its square, as for interval data: Krippendorff, *Computing
    Krippendorff's Alpha-Reliability* (2011), section D.

    Args:
        units: for each answer, the points from those who marked it. One alone counts for nothing.

    Returns:
        None where no answer has two marks, or all points are equal: then nothing can show whether
        they agree.

    Example:
        >>> round(krippendorff_alpha([[1, 1], [2, 2], [3, 3], [3, 2]]), 3)
        0.821
    """
    alpha = _alphas(_sums(units).sum(axis=0))
    return None if np.isnan(alpha) else float(alpha)


def alpha_interval(units: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """The interval in which alpha lies with 95 % confidence, by drawing the answers again and again
    with replacement; always the same for the same answers.

    Args:
        units: see ``krippendorff_alpha``.

    Returns:
        None where there is no alpha.
    """
    sums = _sums(units)
    drawn = np.random.default_rng(0).integers(
        len(sums), size=(_DRAWS if len(sums) else 0, len(sums))
    )
    alphas = _alphas(sums[drawn].sum(axis=1))
    alphas = alphas[~np.isnan(alphas)]
    if not alphas.size:
        return None
    low, high = np.quantile(alphas, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return float(low), float(high)


def _sums(units: Sequence[Sequence[float]]) -> np.ndarray:
    """What alpha needs of each answer with more than one mark (answers, 4): how many marks it has,
    their sum, the sum of their squares, and how much they differ among themselves."""
    rows = []
    for marks in units:
        if (count := len(marks)) > 1:
            total, squares = sum(marks), sum(mark * mark for mark in marks)
            rows.append((count, total, squares, _differences(count, total, squares) / (count - 1)))
    return np.asarray(rows, np.float64).reshape(-1, 4)


def _alphas(sums: np.ndarray) -> np.ndarray:
    """Alpha from the sums of some answers (..., 4); NaN where nothing differs."""
    count, total, squares, observed = np.moveaxis(sums, -1, 0)
    expected = _differences(count, total, squares)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > _ROUNDING, 1 - (count - 1) * observed / expected, np.nan)


def _differences(count: Any, total: Any, squares: Any) -> Any:
    """The sum of the squared differences of all pairs of some numbers, from their sums."""
    return 2 * (count * squares - total * total)
