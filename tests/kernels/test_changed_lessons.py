"""A lesson that changes after a class was graded, through the commands that a teacher types.

Ada's and Ben's notebooks are right, and a person graded Ada's written answers. Each test starts
from a copy of their course.
"""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from nbgrader.utils import compute_checksum

from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from autograder.grading import batch
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course

TEST, WRITTEN = "test_find_emails", "steps_that_lose"
FULL = 16.0  # of the tests; the two written answers are worth 2 points each


def change_source(course, change):
    """Apply a change to the list of cells of the lesson, and to these by name."""
    path = course.source(LESSON)
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells, {cell.id: cell for cell in notebook.cells})
    nbformat.write(notebook, path)


def change_submission(course, student, change):
    path = course.submitted(student, LESSON) / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change({grade_id(cell): cell for cell in notebook.cells})
    nbformat.write(notebook, path)


def database(course):
    return Gradebook(f"sqlite:///{course.root / 'gradebook.db'}")


def give(course, student, cell, points):
    """Points by hand, as the formgrader records them, and a comment."""
    with database(course) as gradebook:
        grade = gradebook.find_grade(cell, LESSON, LESSON, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        if cell == WRITTEN:
            comment = gradebook.find_comment(cell, LESSON, LESSON, student)
            comment.manual_comment = "Well seen."
        gradebook.db.commit()


def grade_of(course, student, cell):
    with database(course) as gradebook:
        grade = gradebook.find_grade(cell, LESSON, LESSON, student)
        return grade.manual_score, grade.score, grade.needs_manual_grade


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    course = write_quick_course(tmp_path_factory.mktemp("course"), ["ada", "ben"])
    assert [row.problem for row in batch.grade(course, LESSON, ["ada", "ben"])] == ["", ""]
    for cell in (WRITTEN, "fitting_on_the_test"):
        give(course, "ada", cell, 2.0)
    return course.root


@pytest.fixture
def course(graded, tmp_path):
    return CourseFolder(shutil.copytree(graded, tmp_path / "course"))


@pytest.fixture
def run(course, autograder):
    """Run a command in the course; its output on one line, without the lines of tables."""

    def command(*arguments, code=0):
        finished = autograder(*arguments, course=course.root)
        said = " ".join((finished.out + finished.err).replace("│", " ").split())
        assert finished.code == code, said
        return said

    return command


def exported(course, run):
    """The totals that Canvas reads, by student; without those who have no final one."""
    run("export", "canvas")
    with (course.root / "reports" / "canvas.csv").open() as file:
        return {row[3]: row[-1] for row in csv.reader(file)}


def feedback(course):
    """The pages that nbgrader makes, by student."""
    command = [Path(sys.executable).parent / "nbgrader", "generate_feedback", LESSON]
    made = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    paths = (course.root / "feedback").glob(f"*/{LESSON}/{LESSON}.html")
    return {path.parts[-3]: path.read_text("utf8") for path in paths}


def test_other_points_and_texts_accuse_nobody_and_points_by_hand_count_as_given(course, run):
    def change(cells, named):
        named[TEST].metadata.nbgrader.points = 5
        named[TEST].source = f"# Any address will do.\n{named[TEST].source}"
        named[WRITTEN].metadata.nbgrader.points = 3
        named[WRITTEN].source = f"In your own words!\n\n{named[WRITTEN].source}"

    assert exported(course, run)["ada"] == str(FULL + 4)
    change_source(course, change)
    said = run("release", LESSON)
    assert f"{TEST}: worth 5, not 2 points" in said
    assert f"next: autograder rejudge {LESSON} --apply" in said
    # Points of a test that is worth something else now are nobody's final points.
    assert "ada" not in exported(course, run)
    said = run("grade", LESSON)
    assert "14 / 14" in said
    assert "2 submissions were graded before the lesson changed" in said
    said = run("grade", LESSON, "--force", "--students", "ada")
    assert "ada: 23 of 24 points" in said
    assert "Repaired before grading" not in said
    changes = said.partition("The lesson changed since these notebooks were handed out")[2]
    assert f"the graded cell {TEST} was worth 2 points, now 5" in changes
    assert f"the text of the graded cell {TEST} changed" in changes
    assert f"the manually graded cell {WRITTEN} was worth 2 points, now 3" in changes
    assert grade_of(course, "ada", WRITTEN) == (2.0, 2.0, False)
    with database(course) as gradebook:
        comment = gradebook.find_comment(WRITTEN, LESSON, LESSON, "ada")
        assert comment.comment == "Well seen."
    assert exported(course, run)["ada"] == "23.0"


def test_after_rejudging_everybody_has_todays_points_and_what_a_person_gave(course, run):
    give(course, "ada", TEST, 1.5)
    change_source(course, lambda _, named: named[TEST].metadata.nbgrader.update(points=5))
    run("release", LESSON)
    run("rejudge", LESSON, "--apply")
    assert "outdated" not in run("grade", LESSON)
    assert grade_of(course, "ada", TEST) == (1.5, 1.5, False)
    assert grade_of(course, "ben", TEST) == (None, 5.0, False)
    totals = exported(course, run)
    assert (totals["ada"], "ben" in totals) == ("19.5", False)


def test_pages_that_are_made_again_show_points_that_a_person_gave_since(course):
    assert "20 of 20 points" in feedback(course)["ada"]
    give(course, "ada", WRITTEN, 0.5)
    assert "18.5 of 20 points" in feedback(course)["ada"]


def test_an_answer_that_was_written_again_is_graded_by_hand_again(course, run):
    change_submission(course, "ada", lambda cells: cells[WRITTEN].update(source="On reflection"))
    give(course, "ada", TEST, 1.5)  # on the notebook that was handed in before
    said = run("grade", LESSON, "--force", "--students", "ada")
    assert "ada: 16 of 16 points, up to 4 more from manual grading" in said
    for _ in range(2):  # grading once more is not looking at it
        assert grade_of(course, "ada", WRITTEN) == (2.0, 2.0, True)
        assert grade_of(course, "ada", "fitting_on_the_test") == (2.0, 2.0, False)
        assert grade_of(course, "ada", TEST) == (1.5, 1.5, True)
        run("grade", LESSON, "--force", "--students", "ada")
    assert "ada" not in exported(course, run)


def test_more_points_by_hand_than_an_answer_is_worth_wait_for_a_person(course, run):
    give(course, "ben", "fitting_on_the_test", 3.0)  # a bonus, which stays one
    change_source(course, lambda _, named: named[WRITTEN].metadata.nbgrader.update(points=1))
    said = run("release", LESSON)
    assert f"{WRITTEN}: submissions with more manual points than it is worth: 1" in said
    # A written answer has no response to judge again: only the pages are out of date.
    assert f"next: nbgrader generate_feedback {LESSON}" in said and "rejudge" not in said
    assert grade_of(course, "ada", WRITTEN) == (2.0, 2.0, True)
    assert grade_of(course, "ben", "fitting_on_the_test") == (3.0, 3.0, False)
    assert "ada" not in exported(course, run)
    said = run("grade", LESSON)
    assert "ada: 18 of 18 points, up to 1 more from manual grading" in said
    run("report", LESSON)
    with (course.root / "reports" / f"{LESSON}.csv").open() as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert (rows["ada"]["total"], rows["ada"]["maximum"]) == ("19", "19")


def test_marks_of_solutions_where_none_may_be_are_told_before_anything_changes(course, run):
    """nbgrader would stop at them, with a traceback, once grades were dropped."""

    def change(cells, named):
        for name in ("find_emails", TEST):
            cells.remove(named[name])
        cells.append(new_code_cell("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", id="loose"))
        cells.append(new_code_cell("### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS", id="hidden"))
        named["tokenize"].source = named["tokenize"].source.replace("### END SOLUTION", "")

    change_source(course, change)
    before = (course.root / "gradebook.db").read_bytes(), course.release(LESSON).read_bytes()
    said = run("release", LESSON, "--drop-grades", code=2)
    assert "cell loose has ### BEGIN SOLUTION and isn't marked as a solution" in said
    assert "cell hidden has ### BEGIN HIDDEN TESTS and isn't marked as autograder tests" in said
    assert "cell tokenize: ### BEGIN SOLUTION and ### END SOLUTION must come in pairs" in said
    assert "Traceback" not in said
    after = (course.root / "gradebook.db").read_bytes(), course.release(LESSON).read_bytes()
    assert before == after
    assert not (course.root / "dropped-grades").exists()


def test_an_exercise_is_dropped_with_its_points_once_the_teacher_says_so(course, run):
    def drop(cells, named):
        for name in ("find_emails", TEST):
            cells.remove(named[name])

    change_source(course, drop)
    before = (course.root / "gradebook.db").read_bytes(), course.release(LESSON).read_bytes()
    said = run("release", LESSON, code=2)
    assert f"{TEST}: submissions graded in it: 2" in said
    assert f"autograder release {LESSON} --drop-grades" in said
    after = (course.root / "gradebook.db").read_bytes(), course.release(LESSON).read_bytes()
    assert before == after
    said = run("release", LESSON, "--drop-grades")
    assert "the lesson doesn't use preprocessing.find_emails" in said
    (kept,) = (course.root / "dropped-grades").iterdir()
    earned = json.loads(kept.read_text())
    assert [(each["student"], each["cell"], each["auto_score"]) for each in earned] == [
        ("ada", TEST, 2.0),
        ("ben", TEST, 2.0),
    ]
    assert exported(course, run)["ada"] == "18.0"
    assert "Nothing changes" in run("rejudge", LESSON)
    assert "14 / 14" in run("grade", LESSON)
    pages = feedback(course)
    assert set(pages) == {"ada", "ben"}
    for page in pages.values():
        assert "<b>preprocessing.tokenize</b>" in page
        assert "<b>preprocessing.find_emails</b>" not in page
    said = run("grade", LESSON, "--force", "--students", "ada")
    assert "ada: 18 of 18 points" in said
    assert "Repaired before grading" not in said
    assert f"the cell '{TEST}' is no longer in the lesson: it earns nothing" in said
    assert exported(course, run)["ada"] == "18.0"
    run("report", LESSON)
    assert "emails" not in (course.root / "reports" / f"{LESSON}.csv").read_text()
    run("release", LESSON)  # and once more without the option


def test_cells_are_added_and_moved_and_points_for_the_new_ones_come_with_grading(course, run):
    def change(cells, named):
        for name, roles in {"halve": {"solution": True}, "test_halve": {"grade": True}}.items():
            flags = {"grade": False, "solution": False, "task": False, "schema_version": 3}
            marks = flags | roles | {"grade_id": name, "locked": name == "test_halve"}
            cell = new_code_cell("halve = None", id=name, metadata={"nbgrader": marks})
            cells.append(cell)
        cell.source, cell.metadata.nbgrader["points"] = "assert halve(4) == 2", 4
        # One from the middle, which needs none before it, comes first now.
        moved = [named["stem"], named["test_stem"]]
        for cell in moved:
            cells.remove(cell)
        cells[cells.index(named["find_emails"]) : cells.index(named["find_emails"])] = moved

    change_source(course, change)
    said = run("release", LESSON)
    assert "test_halve: added" in said
    assert f"next: autograder grade {LESSON} --force" in said
    assert "ada" not in exported(course, run)
    assert "test_halve" not in run("rejudge", LESSON)  # it has no exercise that could be judged
    said = run("grade", LESSON, "--force", "--students", "ada")
    assert "ada: 20 of 24 points" in said
    assert "Repaired before grading" not in said
    assert "the solution cell halve was not in the lesson then: added unanswered" in said
    assert "the order of the cells changed" in said
    assert exported(course, run)["ada"] == "20.0"
    assert grade_of(course, "ada", WRITTEN) == (2.0, 2.0, False)


def test_students_who_change_cells_of_a_changed_lesson_are_still_named(course, run):
    change_source(course, lambda _, named: named[TEST].metadata.nbgrader.update(points=5))
    run("release", LESSON)
    path = course.submitted("ada", LESSON) / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    named = {grade_id(cell): cell for cell in notebook.cells}
    notebook.cells.remove(named["test_stem"])
    notebook.cells.remove(named["test_tf_idf"])
    notebook.cells.insert(0, named["test_tf_idf"])
    named["test_tokenize"].metadata.nbgrader.points = 100
    nbformat.write(notebook, path)
    said = run("grade", LESSON, "--force", "--students", "ada")
    assert "the graded cell test_stem was missing: added back" in said
    assert "points of the graded cell test_tokenize had been changed: restored" in said
    assert "not in the lesson's order, moved down" in said
    assert f"the graded cell {TEST} was worth 2 points, now 5" in said


def test_a_notebook_that_was_released_elsewhere_accuses_nobody(course, run):
    """Its checksum says that nbgrader made it, in whatever gradebook."""

    def elsewhere(cells):
        cells[TEST].source = f"# another year\n{cells[TEST].source}"
        cells[TEST].metadata.nbgrader.points = 7
        cells[TEST].metadata.nbgrader.checksum = compute_checksum(cells[TEST])

    change_submission(course, "ada", elsewhere)
    said = run("grade", LESSON, "--force", "--students", "ada")
    assert "Repaired before grading" not in said
    assert f"the graded cell {TEST} was worth 7 points, now 2" in said
