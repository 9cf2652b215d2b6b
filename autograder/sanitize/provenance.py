"""Find out which version of a lesson a student got, and who changed what since.

A cell that differs from today's was changed by the student, or by the lesson's author after the
handout. The released versions tell which; so does the checksum in a cell's metadata.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import nbformat
from nbgrader.utils import compute_checksum

from autograder.cells import lines
from autograder.gradebook.releases import FLAGS, ReleasedCell, Version
from autograder.sanitize.expected_cells import NamedCell, RequiredNotebook
from autograder.sanitize.submitted_cells import Piece

_MOST_POINTS = 1_000_000  # of a cell


def handed_out_cells(lesson: RequiredNotebook, pieces: Sequence[Piece]) -> dict[str, ReleasedCell]:
    """The cells of the version that the student got, by name and in order.

    It's the version with the fewest differences; of two with equally many, the later one.

    Args:
        lesson: the lesson with its released versions.
        pieces: the student's cells.
    """
    first: dict[str, Piece] = {}
    for piece in pieces:
        if piece.name is not None:
            first.setdefault(piece.name, piece)
    lines_of = functools.cache(lambda name: lines(first[name].source))

    def differences(version: Version) -> int:
        version = tuple(cell for cell in version if cell.name)
        names = {cell.name for cell in version}
        count = len(names - first.keys())
        for name in first.keys() - names:
            count += claims_role(first[name].nbgrader_metadata)
        for cell in version:
            if cell.name in first:
                count += bool(changed_metadata(first[cell.name].nbgrader_metadata, cell.marks))
                count += cell.marks["locked"] and lines_of(cell.name) != lines(cell.source)
        there = [cell.name for cell in version if cell.name in first]
        return count + (there != sorted(there, key=lambda name: first[name].number))

    today = tuple(named.today for named in lesson.named)
    nearest = min((today, *lesson.versions), key=differences)
    return {cell.name: cell for cell in nearest if cell.name}


def fits_its_checksum(piece: Piece) -> bool:
    """Whether a cell is exactly as nbgrader released it, in any release.

    A student who changes a cell and recomputes its checksum isn't reported, but gains nothing:
    the cell is restored anyway.

    Args:
        piece: the student's cell. Its metadata may be anything.
    """
    cell = {
        "cell_type": piece.kind,
        "source": piece.source,
        "metadata": {"nbgrader": piece.nbgrader_metadata},
    }
    try:
        if not 0 <= (piece.nbgrader_metadata.get("points") or 0) <= _MOST_POINTS:
            return False
        return piece.nbgrader_metadata.get("checksum") == compute_checksum(nbformat.from_dict(cell))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False


def student_changes(named: NamedCell, piece: Piece, got: ReleasedCell) -> Iterator[str]:
    """How a student's cell differs from the handout, in sentences.

    Args:
        named: the lesson's cell.
        piece: the student's cell.
        got: the cell as it was handed out.
    """
    today = named.today
    if piece.kind not in (got.kind, today.kind):
        yield f"{named} had the type {piece.kind}: restored to {today.kind}"
    if piece.name != named.name:
        yield f"{named} had lost its nbgrader metadata: recognized by its cell id"
    elif changed := changed_metadata(piece.nbgrader_metadata, got.marks):
        yield f"{', '.join(changed)} of {named} had been changed: restored"
    if has_other_text(named, piece, got):
        yield f"the text of {named} had been changed: restored"


def has_other_text(named: NamedCell, piece: Piece, got: ReleasedCell) -> bool:
    """Whether a student wrote something into a read-only cell.

    Args:
        named: the lesson's cell.
        piece: the student's cell.
        got: the cell as it was handed out.
    """
    texts = got.source, named.today.source, named.cell.source
    return named.today.marks["locked"] and lines(piece.source) not in map(lines, texts)


def lesson_changes(
    named: NamedCell, kind: str, nbgrader_metadata: Mapping[str, Any], text: str
) -> Iterator[str]:
    """How a cell that was handed out differs from today's, in sentences.

    Args:
        named: the lesson's cell.
        kind: the type with which it was handed out.
        nbgrader_metadata: the nbgrader metadata with which it was handed out.
        text: the text with which it was handed out.
    """
    today = named.today
    if kind != today.kind:
        yield f"{named} had the type {kind}, now {today.kind}"
    changed = changed_metadata(nbgrader_metadata, today.marks)
    before = nbgrader_metadata.get("points")
    if "points" in changed and isinstance(before, int | float):
        changed.remove("points")
        points = today.marks["points"]
        yield f"{named} was worth {before:g} points, now {points:g}"
    if changed:
        yield f"{', '.join(changed)} of {named} changed"
    texts = today.source, named.cell.source
    if today.marks["locked"] and lines(text) not in map(lines, texts):
        yield f"the text of {named} changed"


def claims_role(nbgrader_metadata: Any) -> bool:
    """Whether nbgrader metadata give a cell a role; nbgrader's editor also leaves some without one.

    Args:
        nbgrader_metadata: the metadata, which may be anything; None without.
    """
    if isinstance(nbgrader_metadata, dict):
        return any(nbgrader_metadata.get(flag) for flag in FLAGS)
    return nbgrader_metadata is not None


def changed_metadata(nbgrader_metadata: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """The entries of a cell's nbgrader metadata that differ from the instructor's.

    The checksum isn't compared: the gradebook's includes the hidden tests.

    Args:
        nbgrader_metadata: a cell's metadata.
        right: the instructor's.

    Returns:
        Their names.
    """
    claimed = {flag: bool(nbgrader_metadata.get(flag)) for flag in FLAGS}
    # nbgrader locks graded cells, and never solutions, whatever is written in them.
    claimed["locked"] = not claimed["solution"] and (claimed["grade"] or claimed["locked"])
    changed = [flag for flag in FLAGS if claimed[flag] != right[flag]]
    changed += [
        key
        for key in ("points", "schema_version")
        if key in right and not _same_number(nbgrader_metadata.get(key), right[key])
    ]
    return changed


def _same_number(value: Any, right: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == right
