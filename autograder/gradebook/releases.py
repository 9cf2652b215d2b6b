"""The versions of a lesson that were released, which nbgrader's gradebook doesn't keep.

It only knows the last release. A table beside nbgrader's distinguishes changes by a student from
later changes by the lesson's author. nbgrader creates it together with its own.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nbclient import NotebookClient
from nbformat import NotebookNode
from nbgrader.api import (
    Base,
    Grade,
    Gradebook,
    Notebook,
    new_uuid,
)
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import (
    is_grade,
    is_locked,
    is_solution,
    is_task,
)
from sqlalchemy import (
    Column,
    Integer,
    String,
    Text,
    func,
    select,
)

from autograder.cells import ReleasedAnswers, lines

FLAGS = ("grade", "solution", "task", "locked")
"""The keys in nbgrader's metadata for a cell's role."""

EXECUTION_TAGS = {NotebookClient.skip_cells_with_tag.default_value, "raises-exception"}
"""Tags that change how a cell is executed."""


class ReleasedVersion(Base):
    """A version of a lesson's notebook that students may have got."""

    __tablename__ = "autograder_released_version"

    id = Column(String(32), primary_key=True, default=new_uuid)
    assignment_id = Column(String(32), nullable=False, index=True)
    notebook = Column(String(128), nullable=False)
    number = Column(Integer, nullable=False)  # the last one released has the highest
    cells = Column(Text, nullable=False)


@dataclass(frozen=True)
class ReleasedCell:
    """A cell with a role in grading, as it was released to students.

    Args:
        name: its grade_id; "" if nbgrader doesn't know it.
        id: its id.
        kind: its type.
        marks: of the nbgrader metadata, the roles, the schema's version, and the points where it
            is graded.
        source: its text.
        attachments: their fingerprint.
        tags: those that change how it is executed.
    """

    name: str
    id: str
    kind: str
    marks: Mapping[str, Any]
    source: str
    attachments: str
    tags: Sequence[str]

    @classmethod
    def of(cls, cell: NotebookNode) -> ReleasedCell:
        """The cell of a notebook that nbgrader generated."""
        written = cell.metadata.get("nbgrader", {})
        roles = dict(zip(FLAGS, (is_grade(cell), is_solution(cell), is_task(cell)), strict=False))
        roles |= {"locked": is_locked(cell), "schema_version": written.get("schema_version")}
        if roles["grade"] or roles["task"]:
            roles["points"] = float(written.points)
        return cls(
            written.grade_id if is_known(cell) else "",
            cell.get("id", ""),
            cell.cell_type,
            roles,
            cell.source,
            content_fingerprint(cell.get("attachments", {})),
            sorted(EXECUTION_TAGS.intersection(cell.metadata.get("tags", []))),
        )


Version = tuple[ReleasedCell, ...]
"""A version of a notebook: the cells that nbgrader knows, and those with tags, in order."""


def content_fingerprint(value: Any) -> str:
    """A digest of a JSON value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def released_versions(gradebook: Gradebook, notebook: Notebook) -> list[Version]:
    """Every version of a notebook that was released, the last one first."""
    found = gradebook.db.scalars(
        select(ReleasedVersion.cells)
        .where(ReleasedVersion.assignment_id == notebook.assignment_id)
        .where(ReleasedVersion.notebook == notebook.name)
        .order_by(ReleasedVersion.number.desc())
    )
    return [_read(text) for text in found]


def known_tasks(gradebook: Gradebook, lesson: str) -> dict[str, frozenset[str]]:
    """The ids of the cells that the gradebook knows, by the file name of each of a lesson's
    notebooks."""
    notebooks = gradebook.find_assignment(lesson).notebooks
    return {
        f"{each.name}.ipynb": frozenset(cell.name for cell in each.source_cells)
        for each in notebooks
    }


def released_answers(gradebook: Gradebook, lesson: str) -> dict[str, ReleasedAnswers]:
    """The contents of answer cells in every released version, by the file name of each of a
    lesson's notebooks."""
    found: dict[str, ReleasedAnswers] = {}
    for notebook in gradebook.find_assignment(lesson).notebooks:
        answers = {cell.name for cell in notebook.solution_cells}
        texts: dict[str, set[tuple[str, ...]]] = {name: set() for name in answers}
        for cell in notebook.source_cells:
            if cell.name in answers:
                texts[cell.name].add(lines(cell.source))
        for cell in itertools.chain.from_iterable(released_versions(gradebook, notebook)):
            if cell.marks["solution"]:
                texts.setdefault(cell.name, set()).add(lines(cell.source))
        found[f"{notebook.name}.ipynb"] = texts
    return found


@functools.lru_cache(maxsize=256)
def _read(text: str) -> Version:
    return tuple(ReleasedCell(**cell) for cell in json.loads(text))


class RememberRelease(NbGraderPreprocessor):
    """The last step of generating the students' notebook: store this version in the gradebook.

    Points that were given by hand are kept. If they are now more than the cell is worth, the answer
    is flagged for manual grading again.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Remember a version.

        Args:
            nb: the students' notebook.
            resources: nbgrader's.
        """
        names = resources["nbgrader"]
        cells = [one for one in map(ReleasedCell.of, nb.cells) if one.name or one.tags]
        with Gradebook(names["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(names["notebook"], names["assignment"])
            before = next(iter(released_versions(gradebook, notebook)), ())
            _remember(gradebook, notebook, cells)
            _flag_for_manual_grading(gradebook, notebook, before)
            gradebook.db.commit()
        return nb, resources


def is_known(cell: NotebookNode) -> bool:
    """Whether nbgrader keeps the cell in the gradebook."""
    return any(role(cell) for role in (is_grade, is_solution, is_task, is_locked))


def _remember(gradebook: Gradebook, notebook: Notebook, cells: Iterable[ReleasedCell]) -> None:
    text = json.dumps([asdict(cell) for cell in cells])
    same = select(ReleasedVersion).where(
        ReleasedVersion.assignment_id == notebook.assignment_id,
        ReleasedVersion.notebook == notebook.name,
    )
    last = gradebook.db.scalar(select(func.max(same.subquery().c.number))) or 0
    version = gradebook.db.scalar(same.where(ReleasedVersion.cells == text))
    if version is None:
        version = ReleasedVersion(
            assignment_id=notebook.assignment_id, notebook=notebook.name, cells=text
        )
        gradebook.db.add(version)
    version.number = last + 1


def _flag_for_manual_grading(gradebook: Gradebook, notebook: Notebook, before: Version) -> None:
    """Flag answers with more manual points than their cell is worth now."""
    was_worth = {cell.name: cell.marks.get("points", 0.0) for cell in before}
    for cell in (*notebook.grade_cells, *notebook.task_cells):
        if cell.max_score < was_worth.get(cell.name, 0.0):
            too_many = select(Grade).where(
                Grade.cell_id == cell.id,
                Grade.manual_score > cell.max_score,
                Grade.manual_score <= was_worth[cell.name],
            )
            for grade in gradebook.db.scalars(too_many):
                grade.needs_manual_grade = True
