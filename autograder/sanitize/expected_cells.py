"""The cells that a lesson's notebook must have, whatever a student handed in.

The gradebook has the cells that nbgrader knows and their contents; the instructor's notebook has
their order, their metadata, and the ordinary cells between them.
"""

from __future__ import annotations

import copy
import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearMarkScheme,
    LockCells,
    NbGraderPreprocessor,
)

from autograder.cells import (
    grade_id,
    graded_exercise,
    is_autograded,
    is_manually_graded,
    is_solution,
    lines,
)
from autograder.gradebook.database import lesson_fingerprint
from autograder.gradebook.releases import ReleasedCell, Version, released_versions
from autograder.sanitize.submitted_cells import Piece


@dataclass(frozen=True)
class NamedCell:
    """A cell that the gradebook knows, with its expected content.

    Args:
        cell: the expected cell; an answer cell is unanswered.
        released: the text that students got.
        id: its id in the instructor's notebook, if that is valid and free.
        before: type and text of the ordinary cells between it and the previous named cell, nearest
            first.
    """

    cell: NotebookNode
    released: str
    id: Any
    before: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """Its ``grade_id``."""
        return self.cell.metadata.nbgrader.grade_id

    @functools.cached_property
    def today(self) -> ReleasedCell:
        """The cell as students get it today."""
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
class RequiredNotebook:
    """The expected cells of a lesson's notebook.

    Args:
        named: the gradebook's cells, in order.
        ordinary: the other cells, first the instructor's, then the released ones: nbgrader adds a
            header and a footer.
        metadata: the notebook's metadata.
        versions: the released versions, the last one first.
    """

    named: Sequence[NamedCell]
    ordinary: Sequence[NotebookNode]
    metadata: Mapping[str, Any]
    versions: Sequence[Version]

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The names of the cells that the gradebook knows."""
        return frozenset(named.name for named in self.named)

    @functools.cached_property
    def is_judged(self) -> bool:
        """Whether it has judged answers: otherwise nbgrader's own rules apply."""
        return any(graded_exercise(named.cell) for named in self.named)

    @functools.cached_property
    def _by_text(self) -> Mapping[tuple[str, tuple[str, ...]], NotebookNode]:
        return {(cell.cell_type, lines(cell.source)): cell for cell in reversed(self.ordinary)}

    @functools.cached_property
    def _by_id(self) -> Mapping[str, NotebookNode]:
        return {cell.get("id", ""): cell for cell in reversed(self.ordinary)}

    @functools.cached_property
    def _tagged(self) -> Mapping[Any, set[str]]:
        """By text and by id, the tags of ordinary cells in any version."""
        tagged: dict[Any, set[str]] = defaultdict(set)
        for cell in itertools.chain.from_iterable(self.versions):
            if not cell.name:
                tagged[cell.kind, cell.source].update(cell.tags)
                tagged[cell.id].update(cell.tags)
        return tagged

    def tags_of(self, piece: Piece) -> set[str]:
        """The tags with which an ordinary cell was ever released.

        Args:
            piece: the student's cell.
        """
        by_id = self._tagged.get(piece.id, set()) if isinstance(piece.id, str) else set()
        return self._tagged.get((piece.kind, piece.source), set()) | by_id

    def metadata_of(self, piece: Piece) -> NotebookNode:
        """The instructor's metadata of an ordinary cell, whose text a student may have changed.

        Args:
            piece: the student's cell.

        Returns:
            The metadata, not to be changed; empty if the instructor has no such cell.
        """
        found = self._by_text.get((piece.kind, lines(piece.source)))
        if found is None and isinstance(piece.id, str):
            found = self._by_id.get(piece.id)
        return NotebookNode() if found is None else found.metadata

    def added_in(self, cell: NotebookNode) -> str:
        """What a student added in an ordinary cell: all of a new one, or the lines that aren't in
        the instructor's cell.

        Args:
            cell: a cell of the submission.
        """
        text = lines(cell.source)
        if (cell.cell_type, text) in self._by_text:
            return ""
        if (instructors := self._by_id.get(cell.id)) is None:
            return cell.source.strip()
        before = set(lines(instructors.source))
        # Without all of these lines, the lesson's author may have changed it since.
        more = [line for line in text if line not in before] if before <= set(text) else []
        return "\n".join(more).strip()


def read_required(
    source: Path, release: Path, resources: dict[str, Any], step: NbGraderPreprocessor
) -> RequiredNotebook:
    """The gradebook's cells, with the order and the metadata of the instructor's notebook.

    Args:
        source: the instructor's notebook.
        release: the notebook that was generated from it, if it still exists.
        resources: nbgrader's resources, which name the gradebook, the assignment and the notebook.
        step: the calling preprocessor. nbgrader's own, which clear hidden tests, get their
            configuration from it.

    Returns:
        The expected cells of a submitted notebook.

    Raises:
        FileNotFoundError: when the instructor's notebook is gone.
        nbgrader.api.MissingEntry: when the gradebook does not know the notebook.
    """
    names = resources["nbgrader"]
    state = (
        lesson_fingerprint(names["db_url"], names["assignment"], names["notebook"]),
        _changed(source),
        _changed(release),
        step.config,
    )
    before, required = _lessons.get(source, (None, None))
    if required is None or before != state:
        required = _required(source, release, resources, step)
        _lessons[source] = copy.deepcopy(state), required
    return required


_lessons: dict[Path, tuple[Any, RequiredNotebook]] = {}
"""What was read last of each of the instructor's notebooks, and from what: a class has the same."""


def _required(
    source: Path, release: Path, resources: dict[str, Any], step: NbGraderPreprocessor
) -> RequiredNotebook:
    instructors = _read(source)
    graded, versions = _in_gradebook(resources["nbgrader"])
    named, ordinary = [], []
    before: list[tuple[str, str]] = []
    for cell in instructors.cells:
        name = grade_id(cell)
        if name in graded:
            named.append(_named(graded.pop(name), cell, before, resources, step))
            before = []
        else:
            before.append((cell.cell_type, cell.source))
            ordinary.append(cell)
    if release.is_file():
        ordinary += [cell for cell in _read(release).cells if not grade_id(cell)]
    # The source may have lost a cell since the release: its points still count.
    for name in sorted(graded):
        named.append(_named(graded[name], NotebookNode(), [], resources, step))
    metadata = {
        key: copy.deepcopy(instructors.metadata[key])
        for key in ("kernelspec", "language_info")
        if key in instructors.metadata
    }
    return RequiredNotebook(named, ordinary, metadata, versions)


def new_cell(kind: str, source: str, metadata: Mapping[str, Any]) -> NotebookNode:
    """Create a cell without an id and without outputs. nbformat's own functions validate it, which
    for all the cells of a notebook takes longer than the judge.

    Args:
        kind: its type.
        source: its text.
        metadata: its metadata, which are copied.
    """
    cell = NotebookNode(cell_type=kind, source=source, metadata=nbformat.from_dict(metadata))
    if kind == "code":
        cell.update(outputs=[], execution_count=None)
    return cell


def _in_gradebook(
    names: Mapping[str, str],
) -> tuple[dict[str, tuple[dict[str, Any], str]], list[Version]]:
    """By name, the nbgrader metadata and the text of every cell that the gradebook knows; and the
    released versions of the notebook."""
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
            nbgrader_metadata = {
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
                nbgrader_metadata["points"] = points[cell.name]
            found[cell.name] = (nbgrader_metadata, cell.source)
        versions = released_versions(gradebook, notebook)
    return found, versions


def _named(
    graded: tuple[dict[str, Any], str],
    instructors: NotebookNode,
    before: Iterable[tuple[str, str]],
    resources: dict[str, Any],
    step: NbGraderPreprocessor,
) -> NamedCell:
    nbgrader_metadata, source = graded
    metadata = {**instructors.get("metadata", {}), "nbgrader": nbgrader_metadata}
    cell = new_cell(nbgrader_metadata["cell_type"], source, metadata)
    LockCells(parent=step).preprocess_cell(cell, resources, 0)
    if nbgrader_metadata["locked"] and "attachments" in instructors:
        cell.attachments = copy.deepcopy(instructors.attachments)
    released = copy.deepcopy(cell)
    if nbgrader_metadata["grade"] or nbgrader_metadata["task"]:
        for clear in (ClearHiddenTests, ClearMarkScheme):
            clear(parent=step).preprocess_cell(released, resources, 0)
    wished_id = instructors.get("id", nbgrader_metadata["grade_id"])
    return NamedCell(cell, released.source, wished_id, tuple(reversed(list(before))))


def _read(path: Path) -> NotebookNode:
    """The instructor's notebook."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: without it, the order of the lesson's cells is unknown"
        )
    return nbformat.read(path, as_version=4)


def _changed(path: Path) -> int:
    """When a file was last changed; 0 if it's gone."""
    return path.stat().st_mtime_ns if path.is_file() else 0
