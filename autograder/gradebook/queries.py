"""Query a class's graded cells."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from nbformat.v4 import new_code_cell
from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    SourceCell,
    SubmittedAssignment,
    SubmittedNotebook,
)

from autograder.cells import calls


@dataclass(frozen=True)
class Entry:
    """The gradebook's entry for a submission's graded cell.

    Args:
        exercise: the exercise that the lesson asks for in this cell today, or None.
        maximum: the maximum points today.
        auto: the judge's points, or None.
        manual: points given by hand in place of the judge's, or None.
        score: the points that count.
    """

    exercise: str | None
    maximum: float
    auto: float | None
    manual: float | None
    score: float


def read_entries(gradebook: Gradebook, lesson: str) -> dict[str, dict[str, dict[str, Entry]]]:
    """The gradebook's entries for a class, by student, notebook and grade_id."""
    cells = (
        gradebook.db.query(Notebook.name, SourceCell.name, SourceCell.source)
        .select_from(SourceCell)
        .join(Notebook, Notebook.id == SourceCell.notebook_id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .filter(Assignment.name == lesson)
    )
    asked = {
        (notebook, cell): next(iter(calls(new_code_cell(source), "grade")), None)
        for notebook, cell, source in cells
    }
    # One query for the class: nbgrader's own, one for each cell, take longer than the judge.
    grades = (
        gradebook.db.query(
            SubmittedAssignment.student_id,
            Notebook.name,
            BaseCell.name,
            Grade.max_score,
            Grade.auto_score,
            Grade.manual_score,
            Grade.score,
        )
        .select_from(Grade)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .filter(Assignment.name == lesson)
    )
    entries: dict = defaultdict(lambda: defaultdict(dict))
    for student, notebook, cell, maximum, *points in grades:
        entry = Entry(asked.get((notebook, cell)), float(maximum), *points)
        entries[student][notebook][cell] = entry
    return entries
