"""A submitted notebook as the lesson has it, before nbgrader reads anything in it.

A notebook is its student's to change: cells deleted, copied, moved, re-typed, their metadata lost
or forged. What is graded does not depend on it. The gradebook says which cells there are and what
is in them, the instructor's notebook in which order and with which metadata; of the student's
notebook nothing is taken but the text of answers and of cells that are not graded, and their order.
"""

from __future__ import annotations

import copy
import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, v4
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearMarkScheme,
    LockCells,
    NbGraderPreprocessor,
)
from nbgrader.utils import compute_checksum

from autograder.cells import grade_id, is_autograded, is_manually_graded, is_solution
from autograder.grading.memory import (
    COURSE,
    EXECUTION_TAGS,
    FLAGS,
    HANDED_IN,
    ReleasedCell,
    Version,
    fingerprint,
    released_versions,
)
from course.responses import printable

REPAIRS = "course_repairs"
"""Under this name the list of repairs lies in nbgrader's resources."""

MAX_CELLS = 5_000
"""A notebook may have so many. Each takes half a millisecond of the process that grades all."""

MAX_REPAIRS = 50
"""Lines of that list; one more says how many are left out."""

_MOST_POINTS = 1_000_000  # of a cell

_MAX_LINE = 200
_MAX_QUOTE = 40
_KINDS = {"code", "markdown", "raw"}
_VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class RepairSubmission(NbGraderPreprocessor):
    """Rebuilds a submitted notebook so that it has the lesson's graded cells, each exactly once.

    - Graded, solution, task and read-only cells have the gradebook's names, types, flags, points
      and checksums, the instructor's other metadata, and the instructor's order. A cell that stands
      before one it must follow moves down behind it; nothing else moves.
    - Of these only solution cells and written answers keep the student's text. Of several with one
      name the last counts, of several written answers the last that is answered, of several locked
      cells the first; the others stay where they are, as ordinary cells.
      One whose nbgrader metadata are lost is known by its cell id.
    - A missing one is added back, unanswered, behind the nearest cell before it that is there.
    - Ordinary cells keep text, type and place. Their metadata are the instructor's where the text
      or the cell id is, else none.
    - Outputs are dropped. Cell ids are valid and unique. The notebook's own metadata are the
      instructor's.

    What an editor adds to an honest notebook is dropped silently. Everything else is told in
    ``resources["course_repairs"]``, a list of sentences; they are also in the notebook, where the
    autograded copy keeps them: ``nb.metadata["course"]["repairs"]``.

    A student answers for nothing that the lesson's author changed. The notebook is compared with
    every version of the lesson that was released, and the nearest one is taken for the one that
    the student got. A cell whose checksum, which nbgrader puts into its metadata, fits the cell
    was also handed out like this, by a release that this gradebook does not know. How that version
    differs from today's lesson is told in ``nb.metadata["course"]["lesson_changes"]``.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Repair a submitted notebook.

        Args:
            nb: whatever ``nbformat.read`` gave.
            resources: nbgrader's; the repairs are added.

        Returns:
            A new, valid notebook, and the resources.

        Raises:
            autograder.grading.pipeline.Refused: when it has more than ``MAX_CELLS`` cells.
            FileNotFoundError: when the instructor's notebook is gone.
            nbgrader.api.MissingEntry: when the gradebook does not know the notebook.
        """
        names = resources["nbgrader"]
        _check_size(nb, names["notebook"])
        lesson = self._lesson(names, resources)
        told = _Told([], [])
        pieces = list(_pieces(nb, told.repairs))
        repaired = _rebuilt(lesson, pieces, told)
        repairs, changes = _capped(told.repairs), _capped(told.changes)
        for line in repairs:
            self.log.warning("%s, %s: %s", names["student"], names["notebook"], line)
        for line in changes:
            self.log.info("%s, %s: %s", names["student"], names["notebook"], line)
        handed_in = [(piece.kind, piece.source, piece.attachments) for piece in pieces]
        repaired.metadata[COURSE] = {HANDED_IN: fingerprint(handed_in)}
        repaired.metadata[COURSE] |= {"repairs": repairs} if repairs else {}
        repaired.metadata[COURSE] |= {"lesson_changes": changes} if changes else {}
        resources[REPAIRS] = repairs
        return repaired, resources

    def _lesson(self, names: Mapping[str, str], resources: dict[str, Any]) -> _Lesson:
        """The gradebook's cells, with the order and the metadata of the instructor's notebook."""
        coursedir = self.parent.parent.coursedir
        folder = coursedir.format_path(coursedir.source_directory, ".", names["assignment"])
        instructors = _read(Path(folder) / f"{names['notebook']}.ipynb")
        graded, versions = self._gradebook(names)
        named, ordinary = [], []
        before: list[tuple[str, str]] = []
        for cell in instructors.cells:
            name = grade_id(cell)
            if name in graded:
                named.append(self._named(graded.pop(name), cell, before, resources))
                before = []
            else:
                before.append((cell.cell_type, cell.source))
                ordinary.append(cell)
        # The source may have lost a cell since it was released: its points still count.
        for name in sorted(graded):
            named.append(self._named(graded[name], NotebookNode(), [], resources))
        metadata = {
            key: copy.deepcopy(instructors.metadata[key])
            for key in ("kernelspec", "language_info")
            if key in instructors.metadata
        }
        return _Lesson(named, ordinary, metadata, versions)

    def _gradebook(
        self, names: Mapping[str, str]
    ) -> tuple[dict[str, tuple[dict[str, Any], str]], list[Version]]:
        """By name, the nbgrader metadata and the text of every cell that the gradebook knows; and
        the versions of the notebook that were released."""
        with Gradebook(names["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(names["notebook"], names["assignment"])
            points = {
                cell.name: cell.max_score for cell in (*notebook.grade_cells, *notebook.task_cells)
            }
            grades, solutions, tasks = (
                {cell.name for cell in cells}
                for cells in (notebook.grade_cells, notebook.solution_cells, notebook.task_cells)
            )
            found = {}
            for cell in notebook.source_cells:
                marks = {
                    "schema_version": MetadataValidator.schema_version,
                    "grade_id": cell.name,
                    "grade": cell.name in grades,
                    "solution": cell.name in solutions,
                    "task": cell.name in tasks,
                    "locked": cell.locked,
                    "cell_type": cell.cell_type,
                    "checksum": cell.checksum,
                }
                if cell.name in points:
                    marks["points"] = points[cell.name]
                found[cell.name] = (marks, cell.source)
            versions = released_versions(gradebook, notebook)
        return found, versions

    def _named(
        self,
        graded: tuple[dict[str, Any], str],
        instructors: NotebookNode,
        before: Iterable[tuple[str, str]],
        resources: dict[str, Any],
    ) -> _Named:
        marks, source = graded
        metadata = {**copy.deepcopy(instructors.get("metadata", {})), "nbgrader": marks}
        cell = _cell(marks["cell_type"], source, metadata)
        LockCells(parent=self).preprocess_cell(cell, resources, 0)
        if marks["locked"] and "attachments" in instructors:
            cell.attachments = copy.deepcopy(instructors.attachments)
        released = copy.deepcopy(cell)
        if marks["grade"] or marks["task"]:
            for clear in (ClearHiddenTests, ClearMarkScheme):
                clear(parent=self).preprocess_cell(released, resources, 0)
        wished_id = instructors.get("id", marks["grade_id"])
        return _Named(cell, released.source, wished_id, tuple(reversed(list(before))))


@dataclass(frozen=True)
class _Named:
    """A cell that the gradebook knows.

    Args:
        cell: as it must be; where students answer, unanswered.
        released: the text that students got.
        id: of the cell in the instructor's notebook, if it is valid and free.
        before: type and text of the ordinary cells between it and the named one before it, nearest
            first.
    """

    cell: NotebookNode
    released: str
    id: Any
    before: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return self.cell.metadata.nbgrader.grade_id

    @functools.cached_property
    def today(self) -> ReleasedCell:
        """As students get it today."""
        cell = copy.deepcopy(self.cell)
        cell.source = self.released
        return ReleasedCell.of(cell)

    def __str__(self) -> str:
        if is_manually_graded(self.cell):
            kind = "manually graded"
        elif is_solution(self.cell):
            kind = "solution"
        elif is_autograded(self.cell):
            kind = "graded"
        else:
            kind = "task" if self.cell.metadata.nbgrader.task else "read-only"
        return f"the {kind} cell {self.name}"


@dataclass(frozen=True)
class _Lesson:
    """What a notebook must be.

    Args:
        named: the gradebook's cells, in order.
        ordinary: the instructor's other cells.
        metadata: of the notebook.
        versions: that were released, the last one first.
    """

    named: Sequence[_Named]
    ordinary: Sequence[NotebookNode]
    metadata: Mapping[str, Any]
    versions: Sequence[Version]

    @functools.cached_property
    def names(self) -> frozenset[str]:
        return frozenset(named.name for named in self.named)

    @functools.cached_property
    def _by_text(self) -> Mapping[tuple[str, str], NotebookNode]:
        return {(cell.cell_type, cell.source): cell for cell in reversed(self.ordinary)}

    @functools.cached_property
    def _by_id(self) -> Mapping[str, NotebookNode]:
        return {cell.get("id", ""): cell for cell in reversed(self.ordinary)}

    @functools.cached_property
    def _tagged(self) -> Mapping[Any, set[str]]:
        """By text and by id, the tags of ordinary cells in any version."""
        tagged = defaultdict(set)
        for cell in itertools.chain.from_iterable(self.versions):
            if not cell.name:
                tagged[cell.kind, cell.source].update(cell.tags)
                tagged[cell.id].update(cell.tags)
        return tagged

    def tags_of(self, piece: _Piece) -> set[str]:
        """The tags with which an ordinary cell was ever released."""
        by_id = self._tagged.get(piece.id, set()) if isinstance(piece.id, str) else set()
        return self._tagged.get((piece.kind, piece.source), set()) | by_id

    def metadata_of(self, piece: _Piece) -> NotebookNode:
        """The instructor's metadata of an ordinary cell, whose text a student may have changed."""
        found = self._by_text.get((piece.kind, piece.source))
        if found is None and isinstance(piece.id, str):
            found = self._by_id.get(piece.id)
        return NotebookNode() if found is None else found.metadata


@dataclass(frozen=True)
class _Piece:
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
        name = self.marks.get("grade_id") if isinstance(self.marks, dict) else None
        return name if isinstance(name, str) else None


@functools.lru_cache(maxsize=64)
def _read_unchanged(path: Path, changed: int) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def _read(path: Path) -> NotebookNode:
    """The instructor's notebook; not to be changed."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: without it the order of the lesson's cells is not known"
        )
    return _read_unchanged(path, path.stat().st_mtime_ns)


def _check_size(nb: Mapping[str, Any], name: str) -> None:
    from autograder.grading.pipeline import Refused

    cells = nb.get("cells")
    if isinstance(cells, list) and len(cells) > MAX_CELLS:
        raise Refused(f"{name}.ipynb has {len(cells):,} cells; it may have {MAX_CELLS:,} at most")


def _pieces(nb: Mapping[str, Any], repairs: list[str]) -> Iterator[_Piece]:
    cells = nb.get("cells")
    if not isinstance(cells, list):
        repairs.append("the notebook has no list of cells: nothing in it can be read")
        return
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict):
            yield _piece(number, cell, repairs)
        else:
            repairs.append(f"entry {number} of the notebook is no cell: dropped")


def _piece(number: int, cell: Mapping[str, Any], repairs: list[str]) -> _Piece:
    kind, source = cell.get("cell_type"), cell.get("source", "")
    if not isinstance(kind, str) or kind not in _KINDS:
        repairs.append(f"cell {number} is of no type that notebooks have: kept as raw text")
        kind = "raw"
    text = _encodable(source) if isinstance(source, str) else ""
    if text != source:
        repairs.append(f"cell {number} holds what is no text: replaced")
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    tags = metadata.get("tags")
    attachments = cell.get("attachments")
    return _Piece(
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


@dataclass(frozen=True)
class _Told:
    """What is said about a notebook.

    Args:
        repairs: what was not as it was handed out.
        changes: what in the lesson is not as it was when this notebook was handed out.
    """

    repairs: list[str]
    changes: list[str]


def _rebuilt(lesson: _Lesson, pieces: Sequence[_Piece], told: _Told) -> NotebookNode:
    kept = _kept(lesson, pieces, told.repairs)
    handed_out = _handed_out(lesson, pieces)
    slots = _slots(lesson, pieces, kept, handed_out, told)
    chosen = set(kept.values())
    free = _FreeIds()
    # The lesson's ids go to the lesson's cells, wherever a student has used them too.
    ids = {named.name: free.take(named.id) for named in lesson.named}
    notebook = v4.new_notebook(metadata=copy.deepcopy(dict(lesson.metadata)))
    for position in range(-1, len(pieces)):
        if position >= 0 and position not in chosen:
            cell = _ordinary(lesson, pieces[position], handed_out, told)
            cell.id = free.take(pieces[position].id)
            notebook.cells.append(cell)
        for named in slots[position]:
            piece = pieces[kept[named.name]] if named.name in kept else None
            cell = _restored(named, piece, handed_out.get(named.name), told)
            cell.id = ids[named.name]
            notebook.cells.append(cell)
    return notebook


def _handed_out(lesson: _Lesson, pieces: Sequence[_Piece]) -> dict[str, ReleasedCell]:
    """The cells of the version that the student got, by name and in order: the one with the fewest
    differences, the later one where two have as many."""
    first: dict[str, _Piece] = {}
    for piece in pieces:
        if piece.name is not None:
            first.setdefault(piece.name, piece)
    lines = functools.cache(lambda name: _lines(first[name].source))

    def differences(version: Version) -> int:
        version = tuple(cell for cell in version if cell.name)
        names = {cell.name for cell in version}
        count = len(names - first.keys())
        for name in first.keys() - names:
            count += _claims(first[name].marks)
        for cell in version:
            if cell.name in first:
                count += bool(_changed(first[cell.name].marks, cell.marks))
                count += cell.marks["locked"] and lines(cell.name) != _lines(cell.source)
        there = [cell.name for cell in version if cell.name in first]
        return count + (there != sorted(there, key=lambda name: first[name].number))

    today = tuple(named.today for named in lesson.named)
    nearest = min((today, *lesson.versions), key=differences)
    return {cell.name: cell for cell in nearest if cell.name}


def _fits_its_checksum(piece: _Piece) -> bool:
    """Whether a cell is as nbgrader released it, wherever that was.

    A student who changes a cell and computes its checksum again isn't named. That earns nothing:
    the cell is restored all the same. The metadata may be anything.
    """
    cell = {"cell_type": piece.kind, "source": piece.source, "metadata": {"nbgrader": piece.marks}}
    try:
        if not 0 <= (piece.marks.get("points") or 0) <= _MOST_POINTS:
            return False
        return piece.marks.get("checksum") == compute_checksum(nbformat.from_dict(cell))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False


def _kept(lesson: _Lesson, pieces: Sequence[_Piece], repairs: list[str]) -> dict[str, int]:
    """By name, the position of the cell that counts."""
    candidates, nameless = defaultdict(list), {}
    for position, piece in enumerate(pieces):
        if piece.name in lesson.names:
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
    lesson: _Lesson,
    pieces: Sequence[_Piece],
    kept: Mapping[str, int],
    handed_out: Mapping[str, ReleasedCell],
    told: _Told,
) -> Mapping[int, list[_Named]]:
    """The lesson's cells by the position in or behind which each is to stand; -1 is the start.

    A cell never moves up: whatever ran before it still does.
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
            told.changes.append("the order of the cells changed")
        else:
            told.repairs.append(f"not in the lesson's order, moved down: {', '.join(moved)}")
    return slots


def _restored(
    named: _Named, piece: _Piece | None, handed_out: ReleasedCell | None, told: _Told
) -> NotebookNode:
    """A cell of the lesson.

    Args:
        named: the lesson's.
        piece: the student's, if there is one.
        handed_out: as the student got it; None where it was not in the lesson then.
        told: what is said about it is added.
    """
    cell = copy.deepcopy(named.cell)
    if piece is None:
        unanswered = " unanswered" if is_solution(cell) else ""
        if handed_out:
            told.repairs.append(f"{named} was missing: added back{unanswered}")
        else:
            told.changes.append(f"{named} was not in the lesson then: added{unanswered}")
        return cell
    got = handed_out or named.today
    if _fits_its_checksum(piece):
        told.changes.extend(_differences(named, piece.kind, piece.marks, piece.source))
    else:
        told.repairs.extend(_repairs(named, piece, got))
        told.changes.extend(_differences(named, got.kind, got.marks, got.source))
    allowed = {*got.tags, *cell.metadata.get("tags", [])}
    _report_tags(piece, allowed, str(named), told.repairs)
    if cell.metadata.nbgrader.locked:
        attached = fingerprint(piece.attachments)
        if attached not in (got.attachments, named.today.attachments):
            told.repairs.append(f"attachments of {named} had been changed: restored")
        return cell
    cell.source = piece.source
    return _with_attachments(cell, piece)


def _repairs(named: _Named, piece: _Piece, got: ReleasedCell) -> Iterator[str]:
    """What a student's cell has that was not handed out."""
    today = named.today
    if piece.kind not in (got.kind, today.kind):
        yield f"{named} was of type {piece.kind}: it is {today.kind} again"
    if piece.name != named.name:
        yield f"{named} had lost its nbgrader metadata: known by its cell id"
    elif changed := _changed(piece.marks, got.marks):
        yield f"{', '.join(changed)} of {named} had been changed: restored"
    if today.marks["locked"]:
        texts = got.source, today.source, named.cell.source
        if _lines(piece.source) not in map(_lines, texts):
            yield f"the text of {named} had been changed: restored"


def _differences(named: _Named, kind: str, marks: Mapping[str, Any], text: str) -> Iterator[str]:
    """How a cell that was handed out differs from today's."""
    today = named.today
    if kind != today.kind:
        yield f"{named} was of type {kind}, and is {today.kind}"
    changed = _changed(marks, today.marks)
    before = marks.get("points")
    if "points" in changed and isinstance(before, int | float):
        changed.remove("points")
        yield f"{named} was worth {before:g} points, and is worth {today.marks['points']:g}"
    if changed:
        yield f"{', '.join(changed)} of {named} changed"
    texts = today.source, named.cell.source
    if today.marks["locked"] and _lines(text) not in map(_lines, texts):
        yield f"the text of {named} changed"


def _ordinary(
    lesson: _Lesson, piece: _Piece, handed_out: Mapping[str, ReleasedCell], told: _Told
) -> NotebookNode:
    metadata = copy.deepcopy(lesson.metadata_of(piece))
    metadata.pop("nbgrader", None)
    cell = _cell(piece.kind, piece.source, metadata)
    if piece.name in lesson.names:
        # Which one counts has been told.
        return _with_attachments(cell, piece)
    got = handed_out.get(piece.name)
    if _claims(piece.marks):
        name = f" {_quoted(piece.name)}" if piece.name else ""
        if (got and not _changed(piece.marks, got.marks)) or _fits_its_checksum(piece):
            told.changes.append(f"the cell{name} is not in the lesson any more: it earns nothing")
        else:
            told.repairs.append(
                f"cell {piece.number} was marked as a cell{name} that the lesson does not have: "
                "it is an ordinary one"
            )
    allowed = {*lesson.tags_of(piece), *(got.tags if got else ()), *cell.metadata.get("tags", [])}
    _report_tags(piece, allowed, f"cell {piece.number}", told.repairs)
    return _with_attachments(cell, piece)


def _cell(kind: str, source: str, metadata: Mapping[str, Any]) -> NotebookNode:
    new = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell, "raw": v4.new_raw_cell}
    return new[kind](source, metadata=nbformat.from_dict(metadata))


def _with_attachments(cell: NotebookNode, piece: _Piece) -> NotebookNode:
    if piece.attachments and cell.cell_type != "code":
        cell.attachments = nbformat.from_dict(piece.attachments)
    return cell


class _FreeIds:
    """Hands out cell ids, each once; always the same ones for the same notebook.

    No number is tried twice, so that a notebook full of ids like ours costs no more than others.
    """

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._numbers = itertools.count(1)

    def take(self, wished: Any) -> str:
        """The wished one if it is valid and free, else one with a number."""
        chosen = wished if isinstance(wished, str) and _VALID_ID.fullmatch(wished) else ""
        while not chosen or chosen in self._used:
            chosen = f"cell-{next(self._numbers)}"
        self._used.add(chosen)
        return chosen


def _claims(marks: Any) -> bool:
    """Whether nbgrader metadata say anything: its editor leaves some on cells without a role."""
    if isinstance(marks, dict):
        return any(marks.get(flag) for flag in FLAGS)
    return marks is not None


def _changed(marks: Mapping[str, Any], right: Mapping[str, Any]) -> list[str]:
    """Which of a cell's nbgrader metadata are not the instructor's.

    The checksum is not compared: the gradebook's is of the cell with its hidden tests.
    """
    claimed = {flag: bool(marks.get(flag)) for flag in FLAGS}
    # nbgrader locks graded cells, and never solutions, whatever is written in them.
    claimed["locked"] = not claimed["solution"] and (claimed["grade"] or claimed["locked"])
    changed = [flag for flag in FLAGS if claimed[flag] != right[flag]]
    changed += [
        key
        for key in ("points", "schema_version")
        if key in right and not _same_number(marks.get(key), right[key])
    ]
    return changed


def _same_number(value: Any, right: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == right


def _report_tags(piece: _Piece, allowed: set[str], where: str, repairs: list[str]) -> None:
    if added := piece.tags - allowed:
        repairs.append(f"tags removed from {where}: {', '.join(sorted(added))}")


def _lines(source: str) -> list[str]:
    """A text as editors may leave it: the ends of lines and of the text do not count."""
    return [line.rstrip() for line in source.strip().splitlines()]


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
