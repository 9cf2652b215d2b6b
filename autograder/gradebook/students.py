"""The gradebook's rows of students and of what they handed in, in few statements."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from nbgrader.utils import parse_utc
from sqlalchemy import Connection, Select, delete, insert, select, update

from autograder.gradebook.engine import open_engine
from autograder.gradebook.saving import update_rows


def count_submissions(gradebook: Gradebook, student: str) -> int:
    """How many submissions a student has."""
    return gradebook.db.query(SubmittedAssignment).filter_by(student_id=student).count()


def rename_row(gradebook: Gradebook, old: str, new: str) -> None:
    """Change the key of a student's row, in one transaction, unless that is done already."""
    students, submissions = Student.__table__, SubmittedAssignment.__table__
    execute = gradebook.db.execute
    rows = {
        row.id: dict(row._mapping)
        for row in execute(select(students).where(students.c.id.in_([old, new])))
    }
    if old not in rows:
        return
    if new in rows:  # from a list: what it says counts
        known = {name: value for name, value in rows[new].items() if value}
        execute(update(students).where(students.c.id == new).values(rows[old] | known))
    else:
        execute(insert(students).values(rows[old] | {"id": new}))
    theirs = submissions.c.student_id == old
    execute(update(submissions).where(theirs).values(student_id=new))
    execute(delete(students).where(students.c.id == old))
    gradebook.db.commit()


def enter_students(gradebook: Gradebook, people: Mapping[str, Mapping[str, str | None]]) -> None:
    """Enter students, or change what the gradebook knows of them, in one transaction.

    Args:
        gradebook: open.
        people: the values of the same columns for everybody, by the student's id.
    """
    database: Any = gradebook.db
    known = set(database.scalars(select(Student.id)))
    new = [{"id": student, **people[student]} for student in people if student not in known]
    if new:
        database.execute(insert(Student.__table__), new)
    changed = [{"row": student, **people[student]} for student in people if student in known]
    update_rows(database, Student, changed)
    database.commit()


_ROWS = {Grade: {"GradeCell", "TaskCell"}, Comment: {"SolutionCell", "TaskCell"}}
"""The kinds of cells that have a row of each table in every submission."""


def enter_submission(
    url: str, lesson: str, student: str, time: datetime | None, *, new_student: bool = False
) -> None:
    """Enter a submission, with nothing graded, unless the gradebook has it.

    Args:
        url: the gradebook's.
        lesson: the lesson.
        student: the student's id.
        time: when it was handed in; None if that isn't known.
        new_student: whether the student may also be entered.

    Raises:
        nbgrader.api.MissingEntry: when the gradebook doesn't know the lesson or the student.
    """
    with open_engine(url).begin() as connection:
        assignment = connection.scalar(select(Assignment.id).where(Assignment.name == lesson))
        if assignment is None:
            raise MissingEntry(f"No such assignment: {lesson}")
        if connection.scalar(_submission(lesson, student)):
            return
        if not connection.scalar(select(Student.id).where(Student.id == student)):
            if not new_student:
                raise MissingEntry(f"No such student: {student}")
            connection.execute(insert(Student.__table__), {"id": student})
        _insert_submission(connection, assignment, student, time)


def _submission(lesson: str, student: str) -> Select[tuple[str]]:
    return (
        select(SubmittedAssignment.id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == lesson, SubmittedAssignment.student_id == student)
    )


def _insert_submission(
    connection: Connection, assignment: str, student: str, time: datetime | None
) -> None:
    submission = {"id": new_uuid(), "assignment_id": assignment, "student_id": student}
    submission |= {"timestamp": parse_utc(time)} if time else {}
    notebooks = {
        notebook: new_uuid()
        for notebook in connection.scalars(
            select(Notebook.id).where(Notebook.assignment_id == assignment)
        )
    }
    cells = connection.execute(
        select(BaseCell.id, BaseCell.type, BaseCell.notebook_id).where(
            BaseCell.notebook_id.in_(notebooks)
        )
    ).all()
    rows = {SubmittedAssignment: [submission]}
    rows[SubmittedNotebook] = [
        {"id": submitted, "notebook_id": notebook, "assignment_id": submission["id"]}
        for notebook, submitted in notebooks.items()
    ]
    for kind, kinds in _ROWS.items():
        rows[kind] = [
            {"cell_id": cell, "notebook_id": notebooks[notebook]}
            for cell, its_kind, notebook in cells
            if its_kind in kinds
        ]
    for kind, entries in rows.items():
        if entries:
            connection.execute(insert(kind.__table__), entries)


def enter_time(
    url: str, lesson: str, student: str, time: datetime | None, handed_in: Collection[str]
) -> None:
    """Enter what nbgrader enters before it grades: the time, if it's known, and 0 for missing
    notebooks.

    Args:
        url: the gradebook's, which has the submission.
        lesson: the lesson.
        student: the student's id.
        time: when it was handed in; None if that isn't known.
        handed_in: the notebooks that are there, by name.
    """
    with open_engine(url).begin() as connection:
        submission = connection.scalar(_submission(lesson, student))
        if time:
            known = SubmittedAssignment.id == submission
            connection.execute(
                update(SubmittedAssignment).where(known).values(timestamp=parse_utc(time))
            )
        missing = connection.scalars(
            select(SubmittedNotebook.id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .where(SubmittedNotebook.assignment_id == submission)
            .where(Notebook.name.not_in(handed_in))
        ).all()
        if missing:
            nothing = {"auto_score": 0, "needs_manual_grade": False}
            connection.execute(
                update(Grade).where(Grade.notebook_id.in_(missing)).values(**nothing)
            )
