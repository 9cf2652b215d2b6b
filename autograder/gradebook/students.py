"""The gradebook's rows of students and of what they handed in, in few statements."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from nbgrader.api import (
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
from sqlalchemy import delete, insert, select, update

from autograder.gradebook.schema import update_rows


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
    gradebook: Gradebook, lesson: str, student: str, time: datetime | None
) -> None:
    """Enter a submission, with nothing graded, unless the gradebook has it.

    Args:
        gradebook: open.
        lesson: the lesson.
        student: the student's id.
        time: when it was handed in; None if that isn't known.

    Raises:
        nbgrader.api.MissingEntry: when the gradebook doesn't know the lesson or the student.
    """
    try:
        gradebook.find_submission(lesson, student)
        return
    except MissingEntry:
        assignment = gradebook.find_assignment(lesson).id
        owner = gradebook.find_student(student).id
    database: Any = gradebook.db
    submission = {"id": new_uuid(), "assignment_id": assignment, "student_id": owner}
    submission |= {"timestamp": parse_utc(time)} if time else {}
    notebooks = {
        notebook: new_uuid()
        for notebook in database.scalars(
            select(Notebook.id).where(Notebook.assignment_id == assignment)
        )
    }
    cells = database.execute(
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
            database.execute(insert(kind.__table__), entries)
    database.commit()
