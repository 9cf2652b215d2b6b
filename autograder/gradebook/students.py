"""Students' rows in the gradebook."""

from __future__ import annotations

from nbgrader.api import Gradebook, Student, SubmittedAssignment
from sqlalchemy import delete, insert, select, update


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
