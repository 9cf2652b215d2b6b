"""What is taken from the notebook that a student handed in.

It may be any JSON that ``nbformat`` reads. Its cells become pieces, which are well formed: text
that every file can hold, types that notebooks have, and nothing of the outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.grading.memory import EXECUTION_TAGS
from autograder.grading.submitted import Refused

MAX_CELLS = 5_000
"""A notebook may have so many. Each takes half a millisecond of the process that grades all."""

_KINDS = {"code", "markdown", "raw"}


@dataclass(frozen=True)
class Piece:
    """What is taken from a student's cell: well-formed, whatever was there.

    Args:
        number: the cell's in the notebook, from 1.
        kind: its type.
        source: its text.
        id: anything.
        marks: the nbgrader metadata; None without.
        tags: those that change how a cell is executed.
        attachments: by file name, by type.
    """

    number: int
    kind: str
    source: str
    id: Any
    marks: Any
    tags: frozenset[str]
    attachments: dict[str, dict[str, str]]

    @property
    def name(self) -> str | None:
        """The ``grade_id`` that its metadata state, or None."""
        name = self.marks.get("grade_id") if isinstance(self.marks, dict) else None
        return name if isinstance(name, str) else None


def check_size(nb: Mapping[str, Any], name: str) -> None:
    """Refuse a notebook that has more than ``MAX_CELLS`` cells.

    Args:
        nb: whatever ``nbformat.read`` gave.
        name: of the notebook, without ``.ipynb``.

    Raises:
        Refused: when it has more.
    """
    cells = nb.get("cells")
    if isinstance(cells, list) and len(cells) > MAX_CELLS:
        raise Refused(f"{name}.ipynb has {len(cells):,} cells; it may have {MAX_CELLS:,} at most")


def read_pieces(nb: Mapping[str, Any], repairs: list[str]) -> Iterator[Piece]:
    """What can be used of each cell, in the order of the notebook.

    Args:
        nb: whatever ``nbformat.read`` gave.
        repairs: a line is added for everything that had to be dropped or replaced.
    """
    cells = nb.get("cells")
    if not isinstance(cells, list):
        repairs.append("the notebook has no list of cells: nothing in it can be read")
        return
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict):
            yield _piece(number, cell, repairs)
        else:
            repairs.append(f"entry {number} of the notebook isn't a cell: dropped")


def _piece(number: int, cell: Mapping[str, Any], repairs: list[str]) -> Piece:
    kind, source = cell.get("cell_type"), cell.get("source", "")
    if not isinstance(kind, str) or kind not in _KINDS:
        repairs.append(f"cell {number} is of no type that notebooks have: kept as raw text")
        kind = "raw"
    text = _encodable(source) if isinstance(source, str) else ""
    if text != source:
        repairs.append(f"cell {number} holds something that isn't text: replaced")
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    tags = metadata.get("tags")
    attachments = cell.get("attachments")
    return Piece(
        number,
        kind,
        text,
        cell.get("id"),
        metadata.get("nbgrader"),
        frozenset(tag for tag in EXECUTION_TAGS if isinstance(tags, list | str) and tag in tags),
        _attachments(attachments) if isinstance(attachments, dict) else {},
    )


def _attachments(attachments: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Those whose data are text, as a picture's base64 is."""
    kept = {}
    for name, bundle in attachments.items():
        if isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values()):
            kept[_encodable(name)] = {_encodable(x): _encodable(bundle[x]) for x in bundle}
    return kept


def _encodable(text: str) -> str:
    """JSON can hold halves of characters, which no file and no checksum can."""
    return text.encode("utf8", "replace").decode("utf8")
