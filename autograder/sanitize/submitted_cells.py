"""The parts of a submitted cell that grading uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from autograder.gradebook.releases import EXECUTION_TAGS
from autograder.sanitize.reader import stated_name


@dataclass(frozen=True)
class Piece:
    """The parts of a student's cell that are used.

    Args:
        number: its number in the notebook, from 1.
        name: the ``grade_id`` in its metadata, or None.
        kind: its type.
        source: its text.
        id: its id, or None.
        nbgrader_metadata: the nbgrader metadata, which may be anything; None without.
        tags: those that change how a cell is executed.
        attachments: by file name, by type.
    """

    number: int
    name: str | None
    kind: str
    source: str
    id: str | None
    nbgrader_metadata: Any
    tags: frozenset[str]
    attachments: Mapping[str, Mapping[str, str]]


def read_pieces(nb: NotebookNode) -> Iterator[Piece]:
    """The used parts of each cell, in the order of the notebook.

    Args:
        nb: the result of ``reader.parse_notebook``.
    """
    for number, cell in enumerate(nb.cells, start=1):
        tags = cell.metadata.get("tags", ())
        yield Piece(
            number,
            stated_name(cell),
            cell.cell_type,
            cell.source,
            cell.get("id"),
            cell.metadata.get("nbgrader"),
            frozenset(tag for tag in EXECUTION_TAGS if tag in tags),
            cell.get("attachments", {}),
        )
