"""Students' requests to mark an answer again, from a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError
from autograder.roster.csv_lists import read_table, read_text

_COLUMNS = frozenset({"student", "question", "request"})


@dataclass(frozen=True)
class Request:
    """A student's request.

    Args:
        place: in the list, for messages.
        student: the student's id.
        question: the question's grade_id, or its name for people.
        request: what the student wrote.
    """

    place: str
    student: str
    question: str
    request: str


def read_requests(path: Path) -> Sequence[Request]:
    """Read a list: a row for each request, below one with the names of the columns.

    Args:
        path: a CSV file with the columns student, question and request, perhaps among others, as
            a spreadsheet or a platform writes it.

    Raises:
        CourseError: when it can't be read, or lacks a column.
    """
    table = read_table(read_text(path), path, lambda row: _COLUMNS.issubset(map(_name, row)))
    if table is None:
        raise CourseError(
            f"{path.name} has no line that names the columns student, question and request."
        )
    _, header = next(table)
    names = list(map(_name, header))
    found = []
    for place, row in table:
        cells = dict(zip(names, row, strict=False))  # a row may end before the last column
        if any(row):
            values = {name: cells.get(name, "").strip() for name in _COLUMNS}
            found.append(Request(place, **values))
    return found


def _name(column: str) -> str:
    return column.strip().lower()
