"""What grading takes from a cell of the notebook that a student handed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from autograder.gradebook.schema import EXECUTION_TAGS
from autograder.sanitize.reader import stated_name


@dataclass(frozen=True)
class Piece:
    """What is taken from a student's cell.

    Args:
        number: the cell's in the notebook, from 1.
        name: the ``grade_id`` that its metadata state, or None.
        kind: its type.
        source: its text.
        id: of the cell; None without.
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
    """What is used of each cell, in the order of the notebook.

    Args:
        nb: as ``reader.read`` gives it.
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
