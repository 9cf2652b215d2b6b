"""Two tables and some indexes that the autograder adds to nbgrader's gradebook.

nbgrader's gradebook only knows the last release of a lesson. The two tables distinguish changes by
a student from later changes by the lesson's author, and manually graded answers from those that
nobody has read yet. nbgrader creates them together with its own.
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
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import (
    compute_checksum,
    determine_grade,
    is_grade,
    is_locked,
    is_solution,
    is_task,
)
from sqlalchemy import (
    Column,
    Index,
    Integer,
    Select,
    String,
    Text,
    bindparam,
    func,
    insert,
    select,
    update,
)

from autograder.cells import ReleasedAnswers, grade_id, lines
from autograder.record import RESULT

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
