"""Plots of a graded lesson, drawn without a display and embeddable in HTML."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from autograder.reports.summary import ExerciseStatistics

_WIDTH = 5.0  # inches; small, so that the text is legible on a phone
_INK = "#00204d"
_BINS = 10


@dataclass(frozen=True)
class EmbeddedPlot:
    """A plot and its description.

    Args:
        source: a data URI.
        words: the alternative text.
    """

    source: str
    words: str


def histogram(totals: Sequence[float], maximum: float) -> EmbeddedPlot:
    """A histogram of the students' points.

    Args:
        totals: the students' totals, at least one.
        maximum: the maximum total; more is extra credit.
    """
    counts, edges = np.histogram(totals, _BINS, (0.0, max(maximum, *totals) or 1.0))
    median = float(np.median(totals))
    figure = Figure(figsize=(_WIDTH, 2.6), layout="constrained")
    ax = figure.subplots()
    ax.bar(edges[:-1], counts, np.diff(edges), align="edge", color=_INK, edgecolor="white")
    ax.axvline(median, color="#d55e00", linestyle="--", label=f"median: {median:.4g}")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlabel(f"points out of {maximum:g}")
    ax.set_ylabel("students")
    # Above the bars, so that it hides none.
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False)
    _bare(ax)
    bars = "; ".join(
        f"{low:.3g} to {high:.3g} points: {count}"
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        if count
    )
    return EmbeddedPlot(_uri(figure), f"Histogram of the totals, students by points. {bars}.")


def difficulties(exercises: Sequence[ExerciseStatistics]) -> EmbeddedPlot | None:
    """The mean share of the points in each exercise; None if no exercise has one yet."""
    known = [exercise for exercise in exercises if exercise.difficulty is not None]
    shares = [100 * each.difficulty for each in exercises if each.difficulty is not None]
    if not known:
        return None
    figure = Figure(figsize=(_WIDTH, 0.9 + 0.34 * len(known)), layout="constrained")
    ax = figure.subplots()
    bars = ax.barh(range(len(known)), shares, color=_INK)
    ax.bar_label(bars, [f"{share:.0f} %" for share in shares], padding=3)
    names = [exercise.title for exercise in known]
    ax.set_yticks(range(len(known)), names, parse_math=False)
    ax.invert_yaxis()  # the first exercise on top
    ax.set_xlim(0, 118)  # room for the numbers
    ax.set_xticks(range(0, 101, 25))
    ax.set_xlabel("mean share of the points (%)")
    _bare(ax)
    told = "; ".join(f"{name}: {share:.0f} %" for name, share in zip(names, shares, strict=True))
    return EmbeddedPlot(_uri(figure), f"Bars of the mean share of the points by exercise. {told}.")


def _bare(ax: Axes) -> None:
    ax.spines[["top", "right"]].set_visible(False)


def _uri(figure: Figure) -> str:
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode()}"
