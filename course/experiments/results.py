"""The running table: what every lesson measured, beside what the lessons before it measured.

Rows of full runs are kept between notebooks, in a file of the user's: ``results.json`` in the
folder that ``COURSE_RESULTS`` names, or else in the user's data folder. Smoke runs, grading and
validating keep theirs in the kernel's memory: their numbers mean nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING

from IPython.display import display

from course.runtime import budget, user_files

if TYPE_CHECKING:
    from course.data.datasets import TextDataset

FILE = "results.json"
"""Where the rows of full runs are kept."""

METRICS = ("test accuracy", "weighted F1")


@dataclass(frozen=True)
class Measurement:
    """One model on one data set.

    Args:
        data: the data set's name.
        real: whether people wrote its texts; False for the built-in sample.
        lesson: which lesson measured it.
        model: what it is, in words.
        parameters: how many numbers were learned.
        metric: what ``score`` is, one of ``METRICS``.
        score: on the test split, 0 to 1.
        seconds: of training, by the wall clock.
    """

    data: str
    real: bool
    lesson: str
    model: str
    parameters: int
    metric: str
    score: float
    seconds: float


@dataclass(frozen=True)
class _Table:
    """Rows as a notebook shows them, and as plain text elsewhere."""

    rows: list[Measurement]

    def _cells(self) -> list[tuple[str, ...]]:
        """The titles of the columns, and the rows: two columns of words, then numbers."""
        metric = self.rows[0].metric if self.rows else METRICS[0]
        rows = [
            (row.lesson, row.model, f"{row.parameters:,}", f"{row.score:.3f}", f"{row.seconds:.1f}")
            for row in self.rows
        ]
        return [("lesson", "model", "parameters", metric, "training seconds"), *rows]

    def __repr__(self) -> str:
        return "\n".join(
            f"{lesson:24} {model:42} {parameters:>10} {score:>14} {seconds:>17}"
            for lesson, model, parameters, score, seconds in self._cells()
        )

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        return (
            f"<table><thead>{_html_row(head, 'th')}</thead>"
            f"<tbody>{''.join(_html_row(row, 'td') for row in rows)}</tbody></table>"
        )


def _html_row(cells: Sequence[str], tag: str) -> str:
    # Inline and without colours: each theme brings its own.
    sides = ("left", "left", "right", "right", "right")
    row = "".join(
        f"<{tag} style='text-align:{side}'>{escape(cell)}</{tag}>"
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{row}</tr>"


_rows: dict[tuple[str, bool, str, str], Measurement] = {}


def add(
    lesson: str,
    data: TextDataset,
    model: str,
    *,
    parameters: int,
    score: float,
    seconds: float,
    metric: str = "test accuracy",
) -> None:
    """Note what a lesson has measured; measuring the same model again replaces its row.

    Args:
        lesson: such as ``"03-attention"``.
        data: the data set it was measured on.
        model: what it is, in at most 42 characters.
        parameters: how many numbers were learned.
        score: on the test split, 0 to 1.
        seconds: of training, by the wall clock.
        metric: what ``score`` is, one of ``METRICS``.

    Raises:
        ValueError: for an unknown metric, or an invalid score.
    """
    if metric not in METRICS or not 0 <= score <= 1:
        raise ValueError(
            f"score must be between 0 and 1 and metric one of {METRICS}. "
            f"Received: score={score!r}, metric={metric!r}"
        )
    row = Measurement(
        data.name,
        data.is_real,
        lesson,
        model,
        int(parameters),
        metric,
        float(score),
        float(seconds),
    )
    _rows[_key(row)] = row
    if not budget.is_smoke():
        _keep(row)


def show(data: TextDataset) -> None:
    """Display the rows of all lessons on a data set, and print which data it was.

    Args:
        data: the data set. Rows on its built-in sample and on the published texts are never mixed.
    """
    earlier = {} if budget.is_smoke() else _kept()
    rows = [
        row
        for row in (earlier | _rows).values()
        if (row.data, row.real) == (data.name, data.is_real)
    ]
    # Lessons are numbered; within one, the rows stay in the order in which they were measured.
    rows.sort(key=lambda row: row.lesson)
    display(_Table(rows))
    print(
        f"The data were the published texts of {data.name}."
        if data.is_real
        else f"The data were the built-in sample of {data.name}: these numbers say nothing about "
        "the published texts."
    )
    if budget.is_smoke():
        print("This was a smoke run: it proves that everything works, its numbers mean nothing.")


def _key(row: Measurement) -> tuple[str, bool, str, str]:
    return row.data, row.real, row.lesson, row.model


def _kept() -> Mapping[tuple[str, bool, str, str], Measurement]:
    try:
        rows = [Measurement(**row) for row in user_files.read(FILE) or []]
    except (OSError, ValueError, TypeError) as error:
        print(
            f"The earlier lessons' results can't be read ({error}); delete {user_files.path(FILE)}."
        )
        return {}
    return {_key(row): row for row in rows}


def _keep(row: Measurement) -> None:
    rows = [asdict(entry) for entry in ({**_kept(), _key(row): row}).values()]
    try:
        user_files.write(FILE, rows)
    except OSError as error:
        print(f"This result is not kept for the next lessons: {error}.")
