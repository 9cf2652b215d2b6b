"""What is written in few statements is what nbgrader writes cell by cell."""

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from nbgrader.utils import compute_checksum
from sqlalchemy import event, inspect
from sqlalchemy.engine import Engine
from traitlets.config import Config

from autograder.gradebook.database import ensure_reachable, grades_fingerprint
from autograder.gradebook.engine import open_engine
from autograder.gradebook.saving import INDEXES, SaveGrades
from autograder.gradebook.students import enter_submission
from autograder.late_penalty import LatePolicy
from autograder.record import RESULT, NotebookResult

LESSON, NOTEBOOK, STUDENT = "lesson", "notebook", "ada"
DUE = datetime(2026, 1, 10, 12)
OURS = "autograder_graded_answer"
POINTS = 3.0

NOTHING, FULL = [], [new_output("execute_result", data={"text/plain": "3.0"})]
PARTIAL = [new_output("execute_result", data={"text/plain": "1.25"})]
ERROR = [new_output("error", ename="E", evalue="", traceback=[])]
WARNING = [new_output("stream", name="stderr", text="careful")]
TESTS = {"nothing": NOTHING, "full": FULL, "partial": PARTIAL, "error": ERROR, "warned": WARNING}


def cell(name, *roles, outputs=None, touched=True):
    """A graded, solution or task cell, answered or not."""
    marks = {"schema_version": 3, "grade_id": name, "locked": not {"solution", "task"} & {*roles}}
    marks |= {role: role in roles for role in ("grade", "solution", "task")}
    if {"grade", "task"} & {*roles}:
        marks["points"] = POINTS
    new = new_markdown_cell if outputs is None else new_code_cell
    made = new("released", metadata={"nbgrader": marks})
    marks["checksum"] = compute_checksum(made)
    made.metadata.nbgrader.update(marks)
    if outputs is not None:
        made.outputs = outputs
    if touched:
        made.source = "answered"
    return made


def executed():
    """A notebook with a cell of every kind."""
    cells = [cell(f"test_{name}", "grade", outputs=outputs) for name, outputs in TESTS.items()]
    for name, touched in (("touched", True), ("untouched", False)):
        cells += [
            cell(f"code_{name}", "solution", outputs=[], touched=touched),
            cell(f"essay_{name}", "grade", "solution", touched=touched),
            cell(f"task_{name}", "task", touched=touched),
        ]
    return new_notebook(cells=cells)


@pytest.fixture
def gradebook(tmp_path, monkeypatch):
    """The path of a gradebook with the lesson and two students."""
    # nbgrader calls alembic by name when it makes one.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    path = tmp_path / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as opened:
        opened.add_assignment(LESSON, duedate=DUE)
        for name in (NOTEBOOK, "another"):
            opened.add_notebook(name, LESSON)
        for each in executed().cells:
            marks = each.metadata.nbgrader
            names = marks.grade_id, NOTEBOOK, LESSON
            if marks.task:
                opened.add_task_cell(*names, max_score=POINTS, cell_type=each.cell_type)
            elif marks.grade:
                opened.add_grade_cell(*names, max_score=POINTS, cell_type=each.cell_type)
            if marks.solution:
                opened.add_solution_cell(*names)
        opened.add_student(STUDENT)
        opened.add_student("bea")
        for student in (STUDENT, "bea"):
            opened.add_submission(LESSON, student, timestamp=DUE + timedelta(hours=30))
    return path


def rows(path):
    """All rows of all tables of nbgrader's."""
    with closing(sqlite3.connect(path)) as database:
        tables = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return {
            table: sorted(database.execute(f"SELECT * FROM {table}"), key=repr)
            for table in tables
            if table != OURS
        }


def saved(path, kind, notebook, student=STUDENT):
    """The gradebook after nbgrader's steps, with one of them for saving grades."""
    copied = path.with_name(f"{kind.__name__}.db")
    shutil.copy(path, copied)
    names = {"notebook": NOTEBOOK, "assignment": LESSON, "student": student}
    resources = {"nbgrader": names | {"db_url": f"sqlite:///{copied}"}}
    resources[RESULT] = NotebookResult(handed_in="a fingerprint")
    config = Config({"LatePolicy": {"penalty_method": "percent", "percent_per_day": 10}})
    for step in (kind(), AssignLatePenalties(config=config, plugin_class=LatePolicy)):
        notebook, resources = step(notebook, resources)
    return rows(copied)


def by_hand(path, statement, *values):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


CELLS = "(SELECT id FROM base_cell WHERE name LIKE ?)"


@pytest.mark.parametrize(
    "changes",
    [
        [],
        [
            (
                "UPDATE grade SET manual_score = 2.5, needs_manual_grade = 0 WHERE cell_id IN",
                "test_%",
            )
        ],
        [
            (
                "UPDATE grade SET manual_score = 2.5, needs_manual_grade = 0 WHERE cell_id IN",
                "essay_%",
            )
        ],
        [("UPDATE grade SET manual_score = 1, needs_manual_grade = 1 WHERE cell_id IN", "%")],
        [("UPDATE grade SET extra_credit = 0.5 WHERE cell_id IN", "%")],
        [("UPDATE grade SET auto_score = 1 WHERE cell_id IN", "test_%")],
        [
            ("UPDATE comment SET manual_comment = 'Good.' WHERE cell_id IN", "essay_%"),
            ("UPDATE comment SET auto_comment = 'No response.' WHERE cell_id IN", "%"),
        ],
    ],
)
def test_every_row_is_the_one_that_nbgrader_writes(gradebook, changes):
    for statement, names in changes:
        by_hand(gradebook, f"{statement} {CELLS}", names)
    theirs, ours = (saved(gradebook, kind, executed()) for kind in (SaveAutoGrades, SaveGrades))
    assert ours == theirs
    assert theirs != rows(gradebook)
    assert any(row[-1] for row in theirs["submitted_notebook"])  # it was late


def test_a_task_without_points_by_hand_waits_for_a_person(gradebook):
    # nbgrader leaves what an earlier submission had: 0 where it lacked the notebook.
    by_hand(
        gradebook,
        f"UPDATE grade SET auto_score = 0, needs_manual_grade = 0 WHERE cell_id IN {CELLS}",
        "task_%",
    )
    ours = saved(gradebook, SaveGrades, executed())
    with Gradebook(f"sqlite:///{gradebook.with_name('SaveGrades.db')}") as opened:
        graded = opened.find_grade("task_touched", NOTEBOOK, LESSON, STUDENT)
        assert graded.auto_score is None
        assert graded.needs_manual_grade
    assert ours["comment"] == saved(gradebook, SaveAutoGrades, executed())["comment"]


def test_points_by_hand_stay_final_while_the_answer_is_the_same(gradebook):
    notebook, another = executed(), executed()
    next(
        each for each in another.cells if each.metadata.nbgrader.grade_id == "essay_touched"
    ).source = "new"
    saved(gradebook, SaveGrades, notebook)
    graded = gradebook.with_name("graded.db")
    shutil.copy(gradebook.with_name("SaveGrades.db"), graded)
    by_hand(graded, "UPDATE grade SET manual_score = 2, needs_manual_grade = 0")
    for handed_in, waiting in ((notebook, set()), (another, {"essay_touched"})):
        saved(graded, SaveGrades, handed_in)
        with Gradebook(f"sqlite:///{graded.with_name('SaveGrades.db')}") as opened:
            grades = opened.find_submission_notebook(NOTEBOOK, LESSON, STUDENT).grades
            assert {each.name for each in grades if each.needs_manual_grade} == waiting


def test_a_cell_that_the_gradebook_lacks_is_an_error(gradebook):
    notebook = executed()
    notebook.cells.append(cell("unheard_of", "grade", outputs=[]))
    with pytest.raises(MissingEntry, match="unheard_of"):
        saved(gradebook, SaveGrades, notebook)


@pytest.mark.parametrize("time", [None, DUE, "2026-01-09 12:00:00 UTC"])
def test_a_submission_has_the_rows_that_nbgrader_gives_it(gradebook, time):
    def submitted(enter):
        """The rows of a new submission, their keys by what they are for."""
        copied = gradebook.with_name("entered.db")
        shutil.copy(gradebook, copied)
        with Gradebook(f"sqlite:///{copied}") as opened:
            opened.add_student("new")
            enter(opened, f"sqlite:///{copied}")
            submission = opened.find_submission(LESSON, "new")
            found = {"submission": _values(submission, "id")}
            for notebook in submission.notebooks:
                found[notebook.name] = _values(notebook, "id", "assignment_id")
                for entry in (*notebook.grades, *notebook.comments):
                    key = type(entry).__name__, notebook.name, entry.name
                    assert key not in found
                    found[key] = _values(entry, "id", "notebook_id")
            return found

    def as_nbgrader_does(opened, _):
        opened.add_submission(LESSON, "new", **({"timestamp": time} if time else {}))

    ours = submitted(lambda _, url: enter_submission(url, LESSON, "new", time))
    assert ours == submitted(as_nbgrader_does)
    assert len(ours) > len(executed().cells)


def _values(entry, *keys):
    columns = (column.name for column in inspect(type(entry)).local_table.columns)
    return {name: getattr(entry, name) for name in columns if name not in keys}


def test_a_submission_that_is_there_stays_as_it_is(gradebook):
    before = rows(gradebook)
    url = f"sqlite:///{gradebook}"
    enter_submission(url, LESSON, STUDENT, DUE)
    with pytest.raises(MissingEntry):
        enter_submission(url, LESSON, "nobody", DUE)
    assert rows(gradebook) == before


def test_a_gradebook_that_nbgrader_made_gets_the_indexes_and_keeps_its_rows(gradebook):
    names = {index.name for index in INDEXES}

    def present():
        with open_engine(f"sqlite:///{gradebook}").connect() as connection:
            about = inspect(connection)
            tables = {index.table.name for index in INDEXES}
            return {each["name"] for table in tables for each in about.get_indexes(table)}

    assert names <= present()
    for name in names:
        by_hand(gradebook, f"DROP INDEX {name}")
    before = rows(gradebook)
    assert not names & present()
    with closing(sqlite3.connect(gradebook)) as other:  # nothing can be done, and nothing is said
        other.execute("BEGIN EXCLUSIVE")
        ensure_reachable(f"sqlite:///{gradebook}?timeout=0.1", "course")
    assert not names & present()
    for _ in range(2):
        ensure_reachable(f"sqlite:///{gradebook}", "course")
        assert names <= present()
    assert rows(gradebook) == before


def test_no_question_about_a_submission_reads_the_class(gradebook):
    """Every table that has a row per submission or more is searched, never read."""
    asked = []

    def listen(connection, cursor, statement, parameters, context, executemany):
        asked.append((statement, parameters, executemany))

    event.listen(Engine, "before_cursor_execute", listen)
    try:
        saved(gradebook, SaveGrades, executed())
        grades_fingerprint(f"sqlite:///{gradebook}", LESSON, STUDENT)
    finally:
        event.remove(Engine, "before_cursor_execute", listen)
    read = set()
    with closing(sqlite3.connect(gradebook)) as database:
        for statement, parameters, many in asked:
            values = parameters[0] if many else parameters
            if statement.split()[0] in ("SELECT", "UPDATE"):
                for *_, step in database.execute(f"EXPLAIN QUERY PLAN {statement}", values):
                    if step.startswith("SCAN"):
                        read.add(step.split()[1])
    assert not read & {"student", "submitted_assignment", "submitted_notebook", "grade", "comment"}
