"""Save grades: what the judge decides, and what a person decided and keeps.

A table beside nbgrader's knows for which answer a grade was recorded, so that points given by hand
stay as long as the answer does. nbgrader creates it together with its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import (
    Base,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import SaveAutoGrades
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution, is_task
from sqlalchemy import Column, Index, Select, String, bindparam, insert, select, update

from autograder.cells import grade_id
from autograder.gradebook.releases import content_fingerprint
from autograder.record import RESULT


class GradedAnswer(Base):
    """The answer for which a grade was last recorded."""

    __tablename__ = "autograder_graded_answer"

    id = Column(String(32), primary_key=True)  # the grade's
    fingerprint = Column(String(64), nullable=False)


INDEXES = tuple(
    Index(f"autograder_{column.table.name}_{column.name}", column)
    for column in (
        SubmittedAssignment.__table__.c.student_id,
        SubmittedNotebook.__table__.c.assignment_id,
        Grade.__table__.c.notebook_id,
        Comment.__table__.c.notebook_id,
    )
)
"""What nbgrader lacks: without these, every question about one submission reads the whole class."""


class SaveGrades(SaveAutoGrades):
    """Saves grades as nbgrader does, but keeps manual grades of unchanged answers.

    nbgrader flags answers for manual grading whenever it grades. Here the points of a written
    answer stay final as long as the student's text is the same, and points given by hand in place
    of a test's stay final as long as the submission is the same.

    nbgrader's own queries, several for each cell, take longer than the judge. Here each table is
    read once and written once.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Save the grades of a notebook.

        Args:
            nb: executed and judged.
            resources: nbgrader's, with the ``NotebookResult``.

        Raises:
            nbgrader.api.MissingEntry: when the gradebook lacks a cell, or the submission.
            ValueError: when a cell shows more points than it's worth.
        """
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(
                names["notebook"], names["assignment"], names["student"]
            )
            self._save_grades(gradebook.db, notebook.id, nb, resources[RESULT].handed_in)
            _save_comments(gradebook.db, notebook.id, nb)
            gradebook.db.commit()
        return nb, resources

    def _save_grades(self, database: Any, notebook: str, nb: NotebookNode, handed_in: str) -> None:
        answers = _answers(nb, handed_in)
        known = _known(
            database,
            select(BaseCell.name, Grade.id, *_GRADE, GradedAnswer.fingerprint)
            .join(Grade, Grade.cell_id == BaseCell.id)
            .outerjoin(GradedAnswer, GradedAnswer.id == Grade.id)
            .where(Grade.notebook_id == notebook),
        )
        grades: list[dict[str, Any]] = []
        new: list[dict[str, Any]] = []
        changed: list[dict[str, Any]] = []
        for cell in nb.cells:
            if not is_grade(cell) and not is_task(cell):
                continue
            name = cell.metadata.nbgrader.grade_id
            before = _find(known, name, "grade")
            score = self._auto_score(cell)
            needs_person = score is None
            answer = answers.get(name)
            if before.manual_score is not None:
                unchanged = before.fingerprint is not None and before.fingerprint == answer
                needs_person = before.needs_manual_grade or not unchanged
            grades.append(
                {"row": before.id, "auto_score": score, "needs_manual_grade": needs_person}
            )
            if answer and answer != before.fingerprint:
                into = new if before.fingerprint is None else changed
                into.append({"row": before.id, "fingerprint": answer})
        update_rows(database, Grade, grades)
        update_rows(database, GradedAnswer, changed)
        if new:
            row: dict[str, Any] = {"id": bindparam("row"), "fingerprint": bindparam("fingerprint")}
            database.execute(insert(GradedAnswer.__table__).values(row), new)

    def _auto_score(self, cell: NotebookNode) -> float | None:
        """The points without a person's; nbgrader leaves those of a task to the formgrader, even
        if an earlier submission lacked the notebook and has 0 for it."""
        if is_task(cell):
            return None
        try:
            return determine_grade(cell, self.log)[0]
        except ValueError as error:  # what its cell shows is worth more than the cell
            raise ValueError(f"{grade_id(cell)}: {error}") from None


_GRADE = Grade.auto_score, Grade.manual_score, Grade.needs_manual_grade


def _save_comments(database: Any, notebook: str, nb: NotebookNode) -> None:
    known = _known(
        database,
        select(BaseCell.name, Comment.id)
        .join(Comment, Comment.cell_id == BaseCell.id)
        .where(Comment.notebook_id == notebook),
    )
    comments = []
    for cell in nb.cells:
        if is_solution(cell) or is_task(cell):
            written = cell.metadata.nbgrader
            untouched = written.get("checksum") == compute_checksum(cell) and not is_task(cell)
            row = _find(known, written.grade_id, "comment").id
            comments.append({"row": row, "auto_comment": "No response." if untouched else None})
    update_rows(database, Comment, comments)


def _known(database: Any, question: Select) -> dict[str, Any]:
    """The gradebook's rows for a submitted notebook's cells, by grade_id."""
    return {row.name: row for row in database.execute(question)}


def _find(known: Mapping[str, Any], name: str, what: str) -> Any:
    try:
        return known[name]
    except KeyError:
        raise MissingEntry(f"No such {what}: {name}") from None


def update_rows(database: Any, kind: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Change rows of a table, each named by its key as ``row``, all in the same columns."""
    table = kind.__table__
    if rows:
        changed: dict[str, Any] = {name: bindparam(name) for name in rows[0] if name != "row"}
        statement = update(table).where(table.c.id == bindparam("row")).values(changed)
        database.execute(statement, rows)


def _answers(nb: NotebookNode, handed_in: str) -> dict[str, str]:
    """By grade_id, the fingerprint of the answer that a graded cell's points are for."""
    answers = {}
    for cell in (each for each in nb.cells if is_grade(each) or is_task(each)):
        name = cell.metadata.nbgrader.grade_id
        if is_grade(cell) and is_solution(cell):
            answers[name] = content_fingerprint([cell.source, cell.get("attachments", {})])
        elif handed_in:
            answers[name] = handed_in
    return answers
