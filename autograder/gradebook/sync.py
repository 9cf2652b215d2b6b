"""Sync the gradebook with a lesson that gained or lost graded cells after it was handed in.

nbgrader refuses such a lesson: "Cannot add or remove cells". Here the gradebook follows the source:
submissions get an entry for every cell that was added, and lose those of cells that were dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import (
    Comment,
    Grade,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
    TaskCell,
)
from nbgrader.utils import is_grade, is_solution, is_task
from sqlalchemy import select

from autograder.cells import grade_id, is_autograded
from autograder.gradebook.releases import is_known

_ROLES = {GradeCell: is_grade, SolutionCell: is_solution, TaskCell: is_task, SourceCell: None}
"""The gradebook's kinds of cells, each with the test for a notebook's cell."""


@dataclass(frozen=True)
class LessonChange:
    """How a source differs from the last release, if there are submissions.

    Args:
        added: graded cells that the gradebook does not know.
        dropped: graded cells that the source does not have, with the number of submissions that
            have points in them.
        worth: graded cells with changed points, each with the old and the new ones.
        regrades: whether these include a cell that code grades.
        cells: whether any cell that the gradebook keeps was added or dropped, graded or not.
    """

    added: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    worth: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    regrades: bool = False
    cells: bool = False


class LessonCells:
    """The cells of a lesson in the gradebook, beside those of its source.

    Args:
        gradebook: nbgrader's, open.
        lesson: the lesson.
        sources: its notebooks with solutions, by name.
    """

    def __init__(self, gradebook: Any, lesson: str, sources: Mapping[str, NotebookNode]) -> None:
        self._db = gradebook.db
        self._pairs: list[tuple[Notebook, NotebookNode]] = []
        for name, source in sources.items():
            try:
                notebook = gradebook.find_notebook(name, lesson)
            except MissingEntry:
                continue
            if notebook.submissions:
                self._pairs.append((notebook, source))

    def change(self) -> LessonChange:
        """How the source differs."""
        added, dropped, worth, regrades, cells = [], {}, {}, False, False
        for notebook, source in self._pairs:
            named = _named(source, SourceCell)
            known = {cell.name: cell for cell in (*notebook.grade_cells, *notebook.task_cells)}
            graded = {name for name in named if is_grade(named[name]) or is_task(named[name])}
            added += [name for name in named if name in graded - known.keys()]
            for name in sorted(known.keys() - graded):
                dropped[name] = sum(map(_has_points, known[name].grades))
            for name in named:
                if name in known and name in graded:
                    points = float(named[name].metadata.nbgrader.points)
                    if points != known[name].max_score:
                        worth[name] = known[name].max_score, points
                        regrades |= is_autograded(named[name])
            cells |= any(
                {cell.name for cell in _known(notebook, kind)} != set(_named(source, kind))
                for kind in _ROLES
            )
        return LessonChange(tuple(added), dropped, worth, regrades, cells)

    def earned(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Everybody's grades in cells that are to be dropped."""
        wanted = set(names)
        return [
            {
                "student": submission.student.id,
                "notebook": notebook.name,
                "cell": grade.name,
                "auto_score": grade.auto_score,
                "manual_score": grade.manual_score,
                "extra_credit": grade.extra_credit,
                "comment": comments.get(grade.name),
            }
            for notebook, _ in self._pairs
            for submission in sorted(notebook.submissions, key=lambda one: one.student.id)
            for comments in [{each.name: each.manual_comment for each in submission.comments}]
            for grade in submission.grades
            if grade.name in wanted and _has_points(grade)
        ]

    def sync(self) -> None:
        """Add and drop cells, so that the gradebook matches the source; don't commit."""
        for notebook, source in self._pairs:
            for kind in _ROLES:
                named = _named(source, kind)
                known = {cell.name: cell for cell in _known(notebook, kind)}
                for name in known.keys() - named.keys():
                    self._drop(known[name])
                for name in named.keys() - known.keys():
                    self._add(notebook, kind, named[name])
        self._db.flush()

    def _drop(self, cell: Any) -> None:
        if not isinstance(cell, SourceCell):
            for kind in (Grade, Comment):
                for entry in self._db.scalars(select(kind).where(kind.cell_id == cell.id)):
                    self._db.delete(entry)
            self._db.flush()
        self._db.delete(cell)

    def _add(self, notebook: Notebook, kind: Any, cell: NotebookNode) -> None:
        """Add a cell as nbgrader does, with its entries in every submission."""
        name = grade_id(cell)
        if kind is SourceCell:
            new = SourceCell(name=name, notebook=notebook, cell_type=cell.cell_type, source="")
        elif kind is SolutionCell:
            new = SolutionCell(name=name, notebook=notebook)
        else:
            points = float(cell.metadata.nbgrader.points)
            new = kind(name=name, notebook=notebook, max_score=points, cell_type=cell.cell_type)
        self._db.add(new)
        self._db.flush()
        for submission in notebook.submissions if kind is not SourceCell else ():
            if kind is not SolutionCell:
                # Nobody can grade by hand what a kernel hasn't executed.
                by_hand = not is_autograded(cell)
                grade = Grade(cell_id=new.id, notebook=submission, needs_manual_grade=by_hand)
                self._db.add(grade)
            if kind is not GradeCell:
                self._db.add(Comment(cell_id=new.id, notebook=submission))


def _named(source: NotebookNode, kind: Any) -> dict[str, NotebookNode]:
    role = _ROLES[kind] or is_known
    return {cell.metadata.nbgrader.grade_id: cell for cell in source.cells if role(cell)}


def _known(notebook: Notebook, kind: Any) -> Sequence[Any]:
    by_kind = {
        GradeCell: notebook.grade_cells,
        SolutionCell: notebook.solution_cells,
        TaskCell: notebook.task_cells,
        SourceCell: notebook.source_cells,
    }
    return by_kind[kind]


def _has_points(grade: Grade) -> bool:
    return grade.auto_score is not None or grade.manual_score is not None
