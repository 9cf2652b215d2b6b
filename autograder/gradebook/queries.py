"""Query a lesson's entries in the gradebook: one query each for a whole class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nbformat.v4 import new_code_cell
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    Notebook,
    SourceCell,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import Select, func, select
from sqlalchemy.orm import selectinload

from autograder.cells import calls


@dataclass(frozen=True)
class GradeEntry:
    """The gradebook's entry for a submission's graded cell.

    Args:
        maximum: the maximum points today.
        auto: the judge's points, or None.
        manual: points given by hand in place of the judge's, or None.
        score: the points that count.
        needs_person: whether somebody has to grade it, or to look at it again.
    """

    maximum: float
    auto: float | None
    manual: float | None
    score: float
    needs_person: bool


GradeEntries = Mapping[str, Mapping[str, GradeEntry]]
"""A submission's graded cells, by notebook and grade_id."""


class LessonGrades:
    """A lesson in the gradebook. nbgrader's own queries, one for each cell, take longer than the
    judge.

    Args:
        gradebook: open.
        lesson: its name.
        student: the only student to query; everybody if left out.
    """

    def __init__(self, gradebook: Gradebook, lesson: str, student: str | None = None) -> None:
        self._database, self._lesson, self._student = gradebook.db, lesson, student

    @cached_property
    def entries(self) -> dict[str, dict[str, dict[str, GradeEntry]]]:
        """By student, notebook and grade_id."""
        grades = (
            self._submitted(
                BaseCell.name,
                Grade.max_score,
                Grade.auto_score,
                Grade.manual_score,
                Grade.score,
                Grade.needs_manual_grade,
            )
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .join(BaseCell, Grade.cell_id == BaseCell.id)
        )
        found: dict[str, Any] = defaultdict(lambda: defaultdict(dict))
        for student, notebook, cell, maximum, auto, manual, score, waits in self._all(grades):
            entry = GradeEntry(float(maximum), auto, manual, float(score or 0.0), bool(waits))
            found[student][notebook][cell] = entry
        return found

    @cached_property
    def penalties(self) -> Mapping[str, float]:
        """Late penalties in points, by student."""
        found: dict[str, float] = defaultdict(float)
        late = self._submitted(SubmittedNotebook.late_submission_penalty)
        for student, _, points in self._all(late):
            found[student] += points or 0.0
        return found

    @cached_property
    def comments(self) -> Mapping[str, Mapping[tuple[str, str], str]]:
        """Manual comments by student, and by notebook and grade_id."""
        written = (
            self._submitted(BaseCell.name, Comment.manual_comment)
            .join(Comment, Comment.notebook_id == SubmittedNotebook.id)
            .join(BaseCell, Comment.cell_id == BaseCell.id)
            .where(Comment.manual_comment != "")
        )
        found: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
        for student, notebook, cell, text in self._all(written):
            found[student][notebook, cell] = text
        return found

    @cached_property
    def exercises(self) -> Mapping[tuple[str, str], str]:
        """The exercise that the lesson asks for in a cell today, by notebook and grade_id."""
        cells = (
            select(Notebook.name, SourceCell.name, SourceCell.source)
            .select_from(SourceCell)
            .join(Notebook, Notebook.id == SourceCell.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == self._lesson)
        )
        return {
            (notebook, cell): asked[0]
            for notebook, cell, source in self._all(cells)
            if (asked := calls(new_code_cell(source), "grade"))
        }

    @cached_property
    def above_maximum(self) -> Mapping[str, int]:
        """By grade_id, the number of submissions with more manual points than the cell is worth,
        which need manual grading because of that."""
        waiting = (
            select(BaseCell.name, func.count())
            .select_from(Grade)
            .join(BaseCell, BaseCell.id == Grade.cell_id)
            .join(Notebook, Notebook.id == BaseCell.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == self._lesson, Grade.manual_score > Grade.max_score)
            .where(Grade.needs_manual_grade)
            .group_by(BaseCell.name)
        )
        return dict(self._all(waiting).all())

    def _all(self, query: Select) -> Any:
        return self._database.execute(query)

    def _submitted(self, *columns: Any) -> Select:
        """Ask about submitted notebooks: whose, which one, and the columns."""
        query = (
            select(SubmittedAssignment.student_id, Notebook.name, *columns)
            .select_from(SubmittedNotebook)
            .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
            .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
            .where(Assignment.name == self._lesson)
        )
        if self._student is not None:
            query = query.where(SubmittedAssignment.student_id == self._student)
        return query


def find_submissions(gradebook: Gradebook, assignment: Assignment) -> list[SubmittedAssignment]:
    """A lesson's submissions with their scores, by student, in few queries for a class."""
    query = gradebook.db.query(SubmittedAssignment).filter_by(assignment_id=assignment.id)
    whole = selectinload(SubmittedAssignment.notebooks).undefer(SubmittedNotebook.score)
    return query.options(whole).order_by(SubmittedAssignment.student_id).all()
