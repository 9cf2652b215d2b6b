"""What a gradebook says of a class's cells, and writing today's verdicts into it."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat.v4 import new_code_cell, new_notebook
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
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades

from autograder.cells import calls, grade_id
from autograder.course_folder import STAGING, CourseFolder
from autograder.grading.converter import converter_of
from autograder.grading.rejudged import Change

if TYPE_CHECKING:
    from autograder.grading.rejudge import Sheet


@dataclass(frozen=True)
class Entry:
    """What the gradebook says of a submission's graded cell.

    Args:
        exercise: what the lesson asks for in this cell today, or None.
        maximum: what can be earned today.
        auto: the judge's points, or None.
        manual: a person's instead, or None.
        score: what counts.
    """

    exercise: str | None
    maximum: float
    auto: float | None
    manual: float | None
    score: float


def read_entries(gradebook: Gradebook, lesson: str) -> dict[str, dict[str, dict[str, Entry]]]:
    """What the gradebook says of a class: by student, notebook and grade_id."""
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


class Writer:
    """Records what changes, as nbgrader does.

    The gradebook comes first, and the notebook is replaced in one step at last: until then its
    verdicts say that the submission is still due.

    Args:
        course: the course folder.
        lesson: the lesson.
    """

    def __init__(self, course: CourseFolder, lesson: str) -> None:
        converter = converter_of(course, lesson, force=False)
        self._recording = [
            each(parent=converter)
            for each in converter.autograde_preprocessors
            if issubclass(each, SaveAutoGrades | AssignLatePenalties)
        ]
        self._lesson = lesson
        self._url = converter.coursedir.db_url
        self._unfinished = course.root / STAGING / "rejudged.unfinished"

    def write(self, student: str, sheet: Sheet, changes: Sequence[Change]) -> None:
        """Record the points, then replace the notebook."""
        regraded = {change.cell for change in changes if change.regrades}
        cells = [cell for cell in sheet.notebook.cells if grade_id(cell) in regraded]
        names = {
            "student": student,
            "assignment": self._lesson,
            "notebook": sheet.name,
            "db_url": self._url,
        }
        for preprocessor in self._recording:
            preprocessor(
                new_notebook(cells=cells, metadata=sheet.notebook.metadata),
                ResourcesDict(nbgrader=names),
            )
        with self._unfinished.open("w", encoding="utf8") as file:
            file.write(nbformat.writes(sheet.notebook))
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(sheet.path, self._unfinished)
        self._unfinished.replace(sheet.path)
