"""Rebuild a submitted notebook with the lesson's cells, before nbgrader reads anything in it.

Students can change anything in a notebook: delete, copy, move and re-type cells, lose or forge
their metadata. Grading doesn't depend on it. The gradebook determines the cells and their contents,
and the instructor's notebook their order and metadata; the student's notebook only contributes the
text of answers and of cells that aren't graded, and their order.

``reader`` reads the student's notebook, ``expected_cells`` the lesson's; ``provenance`` tells what
the student changed from what the lesson's author changed.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, v4
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.cells import (
    global_names,
    grade_id,
    is_manually_graded,
    is_solution,
    lines,
)
from autograder.gradebook.releases import ReleasedCell, content_fingerprint
from autograder.record import RESULT, NotebookResult
from autograder.sanitize.expected_cells import NamedCell, RequiredNotebook, new_cell, read_required
from autograder.sanitize.provenance import (
    changed_metadata,
    claims_role,
    fits_its_checksum,
    handed_out_cells,
    has_other_text,
    lesson_changes,
    student_changes,
)
from autograder.sanitize.stray_text import take_in_answers
from autograder.sanitize.submitted_cells import Piece, read_pieces
from selfcheck.responses import printable

MAX_REPAIRS = 50
"""Maximum length of a list of repairs; one more line says how many are left out."""

_MAX_LINE = 200
_MAX_QUOTE = 40
_VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_VERSION = re.compile(r"\d{1,2}(\.\d{1,3}){1,2}", re.ASCII)


class RepairSubmission(NbGraderPreprocessor):
    """Rebuilds a submitted notebook so that it has the lesson's graded cells, each exactly once.

    - Graded, solution, task and read-only cells have the gradebook's names, types, flags, points
      and checksums, the instructor's other metadata, and the instructor's order. A cell that comes
      before one that it must follow moves down after it; nothing else moves.
    - Of these, only solution cells and written answers keep the student's text. Of several with the
      same name, the last one counts; of several written answers, the last one that is answered; of
      several locked cells, the first one. The others stay where they are, as ordinary cells.
      A cell that lost its nbgrader metadata is recognized by its cell id.
    - A written question whose cell is untouched gets the text near it, for manual grading.
    - A missing cell is added back, unanswered, after the nearest existing cell before it. If it's
      an answer cell and another of the student's cells defines its names, it's added back empty.
    - If the judge asks for answers, whatever a student wrote into a read-only code cell, such as
      one more line of set-up, runs in an ordinary cell before the restored one.
    - Ordinary cells keep their text, type and place. They get the instructor's metadata if the text
      or the cell id is the instructor's, else none.
    - Outputs are dropped. Cell ids are valid and unique. The notebook's own metadata are the
      instructor's.

    What an editor adds to an honest notebook is dropped silently. Everything else is reported in
    the record's ``repairs``, a list of sentences.

    Changes by the lesson's author aren't blamed on the student. The notebook is compared with every
    released version of the lesson, and the nearest one is assumed to be the one that the student
    got. A cell that matches the checksum in its nbgrader metadata was also handed out like this, by
    a release that this gradebook doesn't know. The differences between that version and today's
    lesson are in the record's ``lesson_changes``.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Repair a submitted notebook.

        Args:
            nb: the result of ``reader.parse_notebook``.
            resources: nbgrader's resources, perhaps with a ``NotebookResult`` that has the repairs
                made while reading; the rest is added to it.

        Returns:
            A new, valid notebook, and the resources.

        Raises:
            FileNotFoundError: when the instructor's notebook is gone.
            nbgrader.api.MissingEntry: when the gradebook does not know the notebook.
        """
        names = resources["nbgrader"]
        coursedir = self.parent.parent.coursedir
        source, release = (
            Path(coursedir.format_path(folder, ".", names["assignment"]))
            / f"{names['notebook']}.ipynb"
            for folder in (coursedir.source_directory, coursedir.release_directory)
        )
        lesson = read_required(source, release, resources, self)
        result = resources.get(RESULT, NotebookResult())
        log = _RepairLog(list(result.repairs), [])
        pieces = list(read_pieces(nb))
        repaired, read_only = _rebuilt(lesson, pieces, log)
        take_in_answers(repaired, lesson, log.repairs, apart=read_only)
        unanswered = _is_unanswered(repaired, lesson)
        if unanswered and (elsewhere := _defined_elsewhere(lesson, pieces)):
            unanswered = False
            log.repairs.append(
                f"{', '.join(sorted(elsewhere))} is only defined outside the answer cells"
            )
        repairs, changes = _capped(log.repairs), _capped(log.changes)
        who = printable(names["student"])
        for line in repairs:
            self.log.warning("%s, %s: %s", who, names["notebook"], line)
        for line in changes:
            self.log.info("%s, %s: %s", who, names["notebook"], line)
        handed_in = [(piece.kind, piece.source, piece.attachments) for piece in pieces]
        resources[RESULT] = replace(
            result,
            handed_in=content_fingerprint(handed_in),
            python=_python(nb),
            repairs=tuple(repairs),
            lesson_changes=tuple(changes),
            unanswered=unanswered,
        )
        return repaired, resources


def _python(nb: NotebookNode) -> str:
    """The version of Python with which a notebook says it was written, or ""."""
    value: Any = nb
    for key in ("metadata", "language_info", "version"):
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) and _VERSION.fullmatch(value) else ""


def _is_unanswered(repaired: NotebookNode, lesson: RequiredNotebook) -> bool:
    released = {named.name: lines(named.released) for named in lesson.named}
    answers = [cell for cell in repaired.cells if is_solution(cell)]
    untouched = (lines(cell.source) == released[grade_id(cell) or ""] for cell in answers)
    return bool(answers) and all(untouched)


@dataclass(frozen=True)
class _RepairLog:
    """Remarks about a notebook.

    Args:
        repairs: the student's differences from the handout.
        changes: changes to the lesson since the handout.
    """

    repairs: list[str]
    changes: list[str]


def _rebuilt(
    lesson: RequiredNotebook, pieces: Sequence[Piece], log: _RepairLog
) -> tuple[NotebookNode, Set[str]]:
    """The repaired notebook, and the ids of cells with text from read-only ones."""
    kept = _kept(lesson, pieces, log.repairs)
    handed_out = handed_out_cells(lesson, pieces)
    slots = _slots(lesson, pieces, kept, handed_out, log)
    chosen = set(kept.values())
    missing = any(is_solution(each.cell) and each.name not in kept for each in lesson.named)
    defined = _defined(lesson, pieces, kept, handed_out) if missing else frozenset()
    free, read_only = _FreeIds(), set()
    # The lesson's ids go to the lesson's cells, even if a student has used them elsewhere.
    ids = {named.name: free.pick(named.id) for named in lesson.named}
    notebook = v4.new_notebook(metadata=copy.deepcopy(dict(lesson.metadata)))
    for position in range(-1, len(pieces)):
        if position >= 0 and position not in chosen:
            cell = _ordinary(lesson, pieces[position], handed_out, log)
            cell.id = free.pick(pieces[position].id)
            notebook.cells.append(cell)
        for named in slots[position]:
            piece = pieces[kept[named.name]] if named.name in kept else None
            got = handed_out.get(named.name)
            if lesson.is_judged and piece and _adds_code(named, piece, got or named.today):
                added = new_cell(piece.kind, piece.source, {})
                added.id = free.pick(None)
                read_only.add(added.id)
                notebook.cells.append(added)
            cell = _restored(named, piece, got, log, defined)
            cell.id = ids[named.name]
            notebook.cells.append(cell)
    return notebook, read_only


def _kept(lesson: RequiredNotebook, pieces: Sequence[Piece], repairs: list[str]) -> dict[str, int]:
    """By name, the position of the cell that counts."""
    candidates: dict[str, list[int]] = defaultdict(list)
    nameless: dict[str, int] = {}
    for position, piece in enumerate(pieces):
        if piece.name and piece.name in lesson.names:
            candidates[piece.name].append(position)
        elif isinstance(piece.id, str):
            nameless.setdefault(piece.id, position)
    kept = {}
    for named in lesson.named:
        positions = candidates[named.name]
        if not positions:
            if named.id in nameless:
                kept[named.name] = nameless[named.id]
            continue
        which = "first" if named.cell.metadata.nbgrader.locked else "last"
        if len(positions) > 1 and is_manually_graded(named.cell):
            answered = [n for n in positions if pieces[n].source != named.released]
            if answered and answered[-1] != positions[-1]:
                positions, which = answered, "last answered"
        kept[named.name] = positions[0 if which == "first" else -1]
        if (count := len(candidates[named.name])) > 1:
            repairs.append(f"{count} cells are named {named.name}: the {which} one counts")
    return kept


def _slots(
    lesson: RequiredNotebook,
    pieces: Sequence[Piece],
    kept: Mapping[str, int],
    handed_out: Mapping[str, ReleasedCell],
    log: _RepairLog,
) -> Mapping[int, list[NamedCell]]:
    """The lesson's cells by the position at or after which each belongs; -1 is the start.

    A cell never moves up, so that whatever ran before it still does.
    """
    chosen = set(kept.values())
    texts: dict[tuple[str, str], int] = {}
    for position, piece in enumerate(pieces):
        if piece.source.strip() and position not in chosen:
            texts.setdefault((piece.kind, piece.source), position)
    slots = defaultdict(list)
    moved = []
    at = -1
    for named in lesson.named:
        own = kept.get(named.name)
        if own is None:
            there = next((texts[text] for text in named.before if text in texts), -1)
            at = max(at, there)
        elif own > at:
            at = own
        else:
            moved.append(named.name)
        slots[at].append(named)
    if moved:
        in_order = [kept[name] for name in handed_out if name in kept]
        if in_order == sorted(in_order):
            log.changes.append("the order of the cells changed")
        else:
            log.repairs.append(f"not in the lesson's order, moved down: {', '.join(moved)}")
    return slots


def _defined(
    lesson: RequiredNotebook,
    pieces: Sequence[Piece],
    kept: Mapping[str, int],
    handed_out: Mapping[str, ReleasedCell],
) -> Set[str]:
    """The names that the student's executed code defines, except in handed-out code."""
    named_at = {kept[named.name]: named for named in lesson.named if named.name in kept}
    stubs = {tuple(lines(named.released)) for named in lesson.named}
    found: set[str] = set()
    for position, piece in enumerate(pieces):
        named = named_at.get(position)
        runs = named is None or is_solution(named.cell)
        if named and not runs and lesson.is_judged:
            runs = _adds_code(named, piece, handed_out.get(named.name) or named.today)
        if runs and piece.kind == "code" and tuple(lines(piece.source)) not in stubs:
            found |= global_names(piece.source)
    return found


def _defined_elsewhere(lesson: RequiredNotebook, pieces: Sequence[Piece]) -> Set[str]:
    """Names that belong in answer cells, but that a student defined in others."""
    answers = (named.released for named in lesson.named if is_solution(named.cell))
    asked = {name for released in answers for name in global_names(released)}
    return asked & _defined(lesson, pieces, {}, {})


def _adds_code(named: NamedCell, piece: Piece, got: ReleasedCell) -> bool:
    """Whether a student wrote code into one of the lesson's own ungraded cells."""
    is_code = named.cell.cell_type == piece.kind == "code"
    if not is_code or named.cell.metadata.nbgrader.grade or fits_its_checksum(piece):
        return False
    return has_other_text(named, piece, got)


def _restored(
    named: NamedCell,
    piece: Piece | None,
    handed_out: ReleasedCell | None,
    log: _RepairLog,
    defined: Set[str],
) -> NotebookNode:
    """A cell of the lesson.

    Args:
        named: the lesson's cell.
        piece: the student's cell, if there is one.
        handed_out: the cell as the student got it; None if the lesson didn't have it then.
        log: gets the remarks about the cell.
        defined: names that the student's other cells define.
    """
    cell = copy.deepcopy(named.cell)
    if piece is None:
        names = global_names(named.released) if is_solution(cell) else set()
        if names and names <= defined:
            # In its original form, it would override what the student defined.
            cell.source = ""
            log.repairs.append(
                f"{named} was missing: added back empty, because another cell defines "
                f"{', '.join(sorted(names))}"
            )
            return cell
        unanswered = " unanswered" if is_solution(cell) else ""
        if handed_out:
            log.repairs.append(f"{named} was missing: added back{unanswered}")
        else:
            log.changes.append(f"{named} was not in the lesson then: added{unanswered}")
        return cell
    got = handed_out or named.today
    if fits_its_checksum(piece):
        log.changes.extend(lesson_changes(named, piece.kind, piece.nbgrader_metadata, piece.source))
    elif handed_out is None and piece.name is None:
        log.changes.append(f"{named} was an ordinary cell then")
    else:
        log.repairs.extend(student_changes(named, piece, got))
        log.changes.extend(lesson_changes(named, got.kind, got.marks, got.source))
    allowed = {*got.tags, *cell.metadata.get("tags", [])}
    _report_tags(piece, allowed, str(named), log.repairs)
    if cell.metadata.nbgrader.locked:
        attached = content_fingerprint(piece.attachments)
        if attached not in (got.attachments, named.today.attachments):
            log.repairs.append(f"attachments of {named} had been changed: restored")
        return cell
    if lines(piece.source) != lines(
        named.released
    ):  # else it's unanswered, as nbgrader compares it
        cell.source = piece.source
    return _with_attachments(cell, piece)


def _ordinary(
    lesson: RequiredNotebook, piece: Piece, handed_out: Mapping[str, ReleasedCell], log: _RepairLog
) -> NotebookNode:
    cell = new_cell(piece.kind, piece.source, lesson.metadata_of(piece))
    cell.metadata.pop("nbgrader", None)
    if piece.name in lesson.names:
        # Which one counts is in the log.
        return _with_attachments(cell, piece)
    got = handed_out.get(piece.name) if piece.name else None
    if claims_role(piece.nbgrader_metadata):
        name = f" {_quoted(piece.name)}" if piece.name else ""
        if (got and not changed_metadata(piece.nbgrader_metadata, got.marks)) or fits_its_checksum(
            piece
        ):
            log.changes.append(f"the cell{name} is no longer in the lesson: it earns nothing")
        else:
            log.repairs.append(
                f"cell {piece.number} was marked as a cell{name} that the lesson doesn't have: "
                "treated as an ordinary cell"
            )
    allowed = {*lesson.tags_of(piece), *(got.tags if got else ()), *cell.metadata.get("tags", [])}
    _report_tags(piece, allowed, f"cell {piece.number}", log.repairs)
    return _with_attachments(cell, piece)


def _with_attachments(cell: NotebookNode, piece: Piece) -> NotebookNode:
    if piece.attachments and cell.cell_type != "code":
        cell.attachments = nbformat.from_dict(piece.attachments)
    return cell


class _FreeIds:
    """Generates unique cell ids, always the same ones for the same notebook.

    No number is tried twice, so that a notebook full of similar ids takes no longer than others.
    """

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._numbers = itertools.count(1)

    def pick(self, wished: Any) -> str:
        """The requested id if it's valid and free, else one with a number."""
        chosen = wished if isinstance(wished, str) and _VALID_ID.fullmatch(wished) else ""
        while not chosen or chosen in self._used:
            chosen = f"cell-{next(self._numbers)}"
        self._used.add(chosen)
        return chosen


def _report_tags(piece: Piece, allowed: set[str], where: str, repairs: list[str]) -> None:
    if added := piece.tags - allowed:
        repairs.append(f"tags removed from {where}: {', '.join(sorted(added))}")


def _quoted(text: str) -> str:
    text = printable(text)
    return repr(text if len(text) <= _MAX_QUOTE else f"{text[:_MAX_QUOTE]}...")


def _capped(repairs: Sequence[str]) -> list[str]:
    lines = [
        line if len(line) <= _MAX_LINE else f"{line[:_MAX_LINE]}..."
        for line in repairs[:MAX_REPAIRS]
    ]
    if more := len(repairs) - len(lines):
        lines.append(f"and {more} more")
    return lines
