"""Lists of a large class from nbgrader's gradebook, as its own methods return them.

Theirs add up a lesson's points several times in nested queries, add up the points of all lessons
for each student, or load what they list row by row. Here each list is one query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nbgrader.api import (
    Assignment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import ColumnElement, Select, Subquery, and_, case, func, select

_TESTED, _TASK = GradeCell.__table__, TaskCell.__table__
_KINDS: dict[str, tuple[ColumnElement[bool], Any]] = {
    "code": (_TESTED.c.cell_type == "code", _TESTED.c.max_score),
    "written": (_TESTED.c.cell_type == "markdown", _TESTED.c.max_score),
    "task": (_TASK.c.cell_type == "markdown", _TASK.c.max_score),
}
"""By kind of points, which cells they are for and the maximum, in rows of ``_graded``."""


@dataclass(frozen=True)
class Owner:
    """Who handed a notebook in."""

    id: str


@dataclass(frozen=True)
class Listed:
    """What the formgrader's list of a lesson's notebooks asks of a ``SubmittedNotebook``.

    Args:
        id: the submitted notebook's.
        name: the notebook's name.
        student: whose it is.
        failed_tests: whether a test of it failed.
    """

    id: str
    name: str
    student: Owner
    failed_tests: bool


class ListingGradebook(Gradebook):
    """nbgrader's gradebook, with quick lists."""

    def student_dicts(self) -> list[dict[str, Any]]:
        """Everybody in the class, with the points of all lessons."""
        scores = (
            select(SubmittedAssignment.student_id, func.sum(Grade.score).label("score"))
            .select_from(Grade)
            .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
            .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .group_by(SubmittedAssignment.student_id)
            .subquery()
        )
        columns = (Student.id, Student.first_name, Student.last_name, Student.email)
        score = func.coalesce(scores.c.score, 0.0).label("score")
        maximum = self.db.scalar(select(func.coalesce(func.sum(Assignment.max_score), 0.0)))
        students = select(*columns, score, Student.lms_user_id).outerjoin(
            scores, scores.c.student_id == Student.id
        )
        return [{**row, "max_score": maximum} for row in self._rows(students)]

    def submission_dicts(self, assignment_id: str) -> list[dict[str, Any]]:
        """A lesson's graded submissions.

        Args:
            assignment_id: the lesson.
        """
        graded = _graded(SubmittedNotebook.assignment_id, assignment_id)
        submissions = (
            select(
                SubmittedAssignment.id,
                Assignment.name,
                SubmittedAssignment.timestamp,
                Student.first_name,
                Student.last_name,
                Student.id.label("student"),
                graded,
            )
            .join(graded, graded.c.owner == SubmittedAssignment.id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(Student, Student.id == SubmittedAssignment.student_id)
        )
        found = [_with_totals(row) for row in self._rows(submissions)]
        for row in found:
            del row["failed_tests"]
        return found

    def notebook_submission_dicts(
        self, notebook_id: str, assignment_id: str
    ) -> list[dict[str, Any]]:
        """The graded submissions of a notebook of a lesson.

        Args:
            notebook_id: the notebook's name.
            assignment_id: the lesson.
        """
        graded = _graded(SubmittedNotebook.id, assignment_id)
        notebooks = (
            _notebooks(
                notebook_id,
                assignment_id,
                Student.first_name,
                Student.last_name,
                SubmittedNotebook.flagged,
                graded,
            )
            .join(Student, Student.id == SubmittedAssignment.student_id)
            .join(graded, graded.c.owner == SubmittedNotebook.id)
        )
        return [_with_totals(row) for row in self._rows(notebooks)]

    def notebook_submissions(self, notebook: str, assignment: str) -> list[Listed]:
        """All submissions of a notebook of a lesson, with what lists need of them.

        Args:
            notebook: its name.
            assignment: the lesson.
        """
        graded = _graded(SubmittedNotebook.id, assignment)
        notebooks = _notebooks(notebook, assignment, graded.c.failed_tests).outerjoin(
            graded, graded.c.owner == SubmittedNotebook.id
        )
        return [
            Listed(row["id"], row["name"], Owner(row["student"]), bool(row["failed_tests"]))
            for row in self._rows(notebooks)
        ]

    def submission_times(
        self, lesson: str, student: str | None = None
    ) -> dict[str, datetime | None]:
        """When what the gradebook has of a lesson was handed in, by student.

        Args:
            lesson: its name.
            student: the only student to ask about; everybody if left out.
        """
        times = (
            select(SubmittedAssignment.student_id, SubmittedAssignment.timestamp)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .where(Assignment.name == lesson)
        )
        if student is not None:
            times = times.where(SubmittedAssignment.student_id == student)
        return {row["student_id"]: row["timestamp"] for row in self._rows(times)}

    def _rows(self, query: Select[Any]) -> Sequence[Any]:
        rows: Sequence[Any] = self.db.execute(query).mappings().all()
        return rows


def _graded(owner: Any, lesson: str) -> Subquery:
    """The points of a lesson's submissions, or of the notebooks in them.

    Args:
        owner: the column of ``SubmittedNotebook`` by which grades are added up.
        lesson: the lesson.
    """
    points = []
    for kind, (is_kind, maximum) in _KINDS.items():
        for name, value in ((f"{kind}_score", Grade.score), (f"max_{kind}_score", maximum)):
            points.append(func.coalesce(func.sum(case((is_kind, value))), 0.0).label(name))
    known = case(*((is_kind, 1) for is_kind, _ in _KINDS.values()))
    failed = and_(_KINDS["code"][0], Grade.auto_score < _TESTED.c.max_score)
    return (
        select(
            owner.label("owner"),
            *points,
            _any(Grade.needs_manual_grade).label("needs_manual_grade"),
            _any(failed).label("failed_tests"),
        )
        .select_from(Grade)
        .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
        .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
        .join(Assignment, Notebook.assignment_id == Assignment.id)
        .outerjoin(_TESTED, Grade.cell_id == _TESTED.c.id)
        .outerjoin(_TASK, Grade.cell_id == _TASK.c.id)
        .where(Assignment.name == lesson)
        .group_by(owner)
        .having(func.count(known) > 0)
        .subquery()
    )


def _any(condition: Any) -> Any:
    return func.max(case((condition, 1), else_=0))


def _notebooks(notebook: str, lesson: str, *columns: Any) -> Select[Any]:
    """A query for the submissions of a notebook of a lesson."""
    return (
        select(
            SubmittedNotebook.id,
            Notebook.name,
            SubmittedAssignment.student_id.label("student"),
            *columns,
        )
        .select_from(SubmittedNotebook)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Notebook.name == notebook, Assignment.name == lesson)
    )


def _with_totals(row: Any) -> dict[str, Any]:
    """A row of ``_graded`` as the formgrader's pages expect it."""
    found = {name: value for name, value in row.items() if name != "owner"}
    found["score"] = sum(found[f"{kind}_score"] for kind in _KINDS)
    found["max_score"] = sum(found[f"max_{kind}_score"] for kind in _KINDS)
    for name in ("needs_manual_grade", "failed_tests"):
        found[name] = bool(found[name])
    return found
