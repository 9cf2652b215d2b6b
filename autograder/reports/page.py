"""A graded lesson as one self-contained page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.marking.statistics import WrittenStatistics
from autograder.reports.plots import difficulties, histogram
from autograder.reports.summary import LessonSummary
from selfcheck.responses import printable

_MOST = 10
"""Maximum number of rows or names in lists that grow with the class."""


def page(summary: LessonSummary, written: Sequence[WrittenStatistics] = ()) -> str:
    """The page's HTML, in which everything that a student wrote is escaped.

    It needs no other file, script or network; pictures are embedded and have descriptions.

    Args:
        summary: the lesson's summary.
        written: how its written answers were marked.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Characters that are not printable could change the order of the text around them.
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    environment.filters |= {"number": _number, "decimals": _decimals, "share": _share}
    totals = [each.total for each in summary.results.graded]
    return environment.get_template("page.html").render(
        summary=summary,
        written=written,
        totals=summary.totals,
        submissions=summary.results.submissions,
        histogram=histogram(totals, summary.maximum),
        difficulties=difficulties(summary.exercises),
        most=_MOST,
    )


def _number(value: float) -> str:
    """Format with at most two decimal places."""
    return f"{round(value, 2) + 0.0:.12g}"


def _decimals(value: float | None) -> str:
    """Format with two decimal places, for columns; a dash if there is no number."""
    return "–" if value is None else f"{value:.2f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"
