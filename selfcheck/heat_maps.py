"""Matrices as heat maps: received next to expected. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from selfcheck.texts import say

WIDTH = 9.0
"""The width of a figure in inches, that of a notebook's output."""


def received_and_expected(
    received: Any,
    expected: Any,
    wrong: Any,
    *,
    axis_labels: tuple[str, str],
    title: str = "",
) -> Figure:
    """Draw the received matrix next to the expected one, on one colour scale.

    Args:
        received: (rows, columns); entries that aren't finite are crossed out.
        expected: (rows, columns); NaN where any finite number is right, labelled "any".
        wrong: boolean (rows, columns), True where the two differ by more than rounding: these
            entries are framed, unless they are more than half.
        axis_labels: the labels of rows and columns.
        title: the figure's title.

    Returns:
        A figure with two panels.

    Raises:
        ValueError: when the three aren't matrices of the same shape.

    Example:
        >>> figure = received_and_expected(
        ...     [[1, 0]], [[0, 1]], [[True, True]], axis_labels=("query", "key")
        ... )
        >>> [ax.get_title() for ax in figure.axes[:2]]
        ['received', 'expected']
    """
    matrices = {
        say("received"): np.asarray(received, float),
        say("expected"): np.asarray(expected, float),
    }
    wrong = np.asarray(wrong, bool)
    if wrong.ndim != 2 or any(matrix.shape != wrong.shape for matrix in matrices.values()):
        shapes = *(matrix.shape for matrix in matrices.values()), wrong.shape
        raise ValueError(f"three matrices of the same shape are needed. Received: {shapes}")
    figure, axes = grid(2, *wrong.shape)
    numbers = np.concatenate([matrix[np.isfinite(matrix)] for matrix in matrices.values()])
    low, high = (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 1.0)
    signs = ("×", 14), (say("any"), 7)
    for ax, (name, matrix), sign in zip(axes, matrices.items(), signs, strict=True):
        shown = np.where(np.isfinite(matrix), matrix, np.nan)
        image = ax.imshow(shown, cmap="viridis", vmin=low, vmax=high, aspect=aspect(matrix))
        ax.set_title(name)
        ax.set_xlabel(axis_labels[1])
        ax.set_ylabel(axis_labels[0])
        for side, count in zip("yx", matrix.shape, strict=True):
            label_axis(ax, [str(place) for place in range(count)], np.ones(count, bool), side)
        for row, column in np.argwhere(~np.isfinite(matrix)):
            ax.text(column, row, sign[0], ha="center", va="center", fontsize=sign[1])
        ax.label_outer()
    if 2 * wrong.sum() <= wrong.size:  # frames around most entries would say nothing
        _frame(axes[0], wrong)
    figure.colorbar(image, ax=axes)
    figure.suptitle(title)
    return figure


def _frame(ax: Axes, entries: np.ndarray) -> None:
    for row, column in np.argwhere(entries):
        corner = column - 0.46, row - 0.46
        ax.add_patch(Rectangle(corner, 0.92, 0.92, fill=False, edgecolor="#d55e00", linewidth=2))


def grid(
    panels: int, rows: int, columns: int, kind: type[Figure] = Figure
) -> tuple[Figure, list[Axes]]:
    """A figure with as many panels side by side as stay legible, with distinguishable cells.

    Args:
        panels: the number of matrices.
        rows, columns: the size of each matrix.
        kind: the class of the figure.
    """
    fitting = range(1, min(panels, max(1, 20 // columns)) + 1)
    side_by_side = max(number for number in fitting if panels % number == 0)
    lines = panels // side_by_side
    # In inches: the space for labels, titles and the colour scale is added to the cells.
    largest = 0.6 if columns < 8 else 0.42 if lines == 1 else 0.34
    cell = min(largest, (WIDTH - 2) / (side_by_side * columns))
    row = cell if rows == columns else max(cell, 0.3)
    width = min(WIDTH, 2 + 1.1 * side_by_side * columns * cell)
    height = 1.4 + lines * (rows * row + 0.35)
    figure = kind(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(lines, side_by_side, squeeze=False).ravel().tolist()


def aspect(matrix: np.ndarray) -> Literal["equal", "auto"]:
    """Matplotlib's options for square cells if a matrix is square."""
    return "equal" if matrix.shape[0] == matrix.shape[1] else "auto"


def label_axis(ax: Axes, tokens: Sequence[str], mask: np.ndarray, side: str) -> None:
    """Name the rows (``side`` is "y") or columns ("x"); names whose ``mask`` is False are grey."""
    set_ticks = ax.set_xticks if side == "x" else ax.set_yticks
    rotated = side == "x" and sum(map(len, tokens)) > 20
    set_ticks(
        range(len(tokens)),
        tokens,
        rotation=60 if rotated else 0,
        ha="right" if rotated or side == "y" else "center",
        rotation_mode="anchor",
        fontsize=8 if len(tokens) > 16 else 9,
        parse_math=False,  # a price isn't a formula
    )
    labels = ax.get_xticklabels() if side == "x" else ax.get_yticklabels()
    for label, kept in zip(labels, mask, strict=True):
        if not kept:
            label.set(color="#7f7f7f", style="italic")
