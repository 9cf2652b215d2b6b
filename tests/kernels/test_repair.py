"""A class of notebooks that were tampered with, or damaged, graded both ways."""

import copy
import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.course_folder import CourseFolder
from tests.conftest import QUICK_LESSON, write_quick_course
from tests.support.commands import BIN, run
from tests.support.graded import record_of
from tests.unit.autograder.sanitize.test_repair import copied, find, move, remove


def copies(notebook, release):
    copied(notebook, "tf_idf", "tf_idf = None", find(notebook, "tf_idf")[1])
    for name in ("test_tf_idf", "fitting_on_the_test"):
        copied(notebook, name, "16.0", len(notebook.cells))


def deletes(notebook, release):
    tests = [cell.id for cell in notebook.cells if cell.id.startswith("test_")]
    remove(notebook, *tests, "stem", "steps_that_lose")


def forges(notebook, release):
    answer = find(notebook, "tf_idf")[0]
    answer.source = find(release, "tf_idf")[0].source
    answer.metadata.nbgrader |= {"grade": True, "solution": False, "points": 100}
    test = find(notebook, "test_tf_idf")[0]
    test.source = "100.0"
    test.metadata.nbgrader |= {"points": 100, "solution": True, "checksum": "0" * 32}
    test.metadata["tags"] = ["skip-execution"]


def idles(notebook, release):
    notebook.cells = release.cells
    for number, cell in enumerate(notebook.cells):
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("locked"):
            cell.source = "print(4.0)\n4.0"
            marks |= [{"points": 0}, {"grade": False}, {"locked": False}][number % 3]
            cell.metadata["tags"] = ["skip-execution"]


def retypes(notebook, release):
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata:
            cell.cell_type = "markdown" if cell.cell_type == "code" else "raw"
            cell.pop("outputs", None)
            cell.pop("execution_count", None)


def scrambles(notebook, release):
    for name in [cell.id for cell in notebook.cells if cell.id.startswith("test_")]:
        move(notebook, name, 0)


def spoils(notebook, release):
    versions = [{}, {"schema_version": 99}, {"schema_version": 1}, [], "graded", None]
    cells = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    for number, cell in enumerate(cells):
        cell.metadata["nbgrader"] = versions[number % len(versions)]


def empties(notebook, release):
    notebook.cells = []


WRITTEN = {"steps_that_lose", "fitting_on_the_test"}
CLASS = {
    "honest": (lambda notebook, release: None, {}),
    "copies": (copies, {}),
    "deletes": (deletes, {"test_stem": 0.0, "steps_that_lose": 0.0}),
    "forges": (forges, {"test_tf_idf": 0.0}),
    "idles": (idles, 0.0),
    "retypes": (retypes, {}),
    "scrambles": (scrambles, {}),
    "spoils": (spoils, {}),
    "empties": (empties, 0.0),
}


"""By student: what is done to an honest notebook, and what is earned other than everything."""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    course = write_quick_course(tmp_path_factory.mktemp("course"), CLASS)
    release = nbformat.read(course.release(QUICK_LESSON), as_version=4)
    for student, (change, _) in CLASS.items():
        path = course.submitted(student, QUICK_LESSON) / f"{QUICK_LESSON}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        change(notebook, copy.deepcopy(release))
        path.write_text(json.dumps(notebook))
    theirs = tmp_path_factory.mktemp("copy") / "course"
    shutil.copytree(course.root, theirs)
    with ThreadPoolExecutor() as both:
        grading = both.submit(run, course.root, BIN / "autograder", "grade", QUICK_LESSON)
        autograding = both.submit(run, theirs, BIN / "nbgrader", "autograde", QUICK_LESSON)
    return {
        "autograder": (course, grading.result()),
        "nbgrader": (CourseFolder(theirs), autograding.result()),
    }


def auto_scores(course):
    """What the gradebook says of every graded cell; None waits for a person."""
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}") as gradebook:
        return {
            (submission.student.id, grade.name): grade.auto_score
            for submission in gradebook.assignment_submissions(QUICK_LESSON)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


@pytest.mark.parametrize("way", ["autograder", "nbgrader"])
def test_nothing_done_to_a_notebook_stops_the_others_or_earns_a_point(graded, way):
    course, finished = graded[way]
    assert finished.returncode == 0, finished.stderr
    scores = auto_scores(course)
    full = {cell: score for (student, cell), score in scores.items() if student == "honest"}
    assert sum(score for score in full.values() if score) == 16.0
    assert {cell for cell, score in full.items() if score is None} == WRITTEN
    for student, (_, lost) in CLASS.items():
        expected = full | (lost if isinstance(lost, dict) else dict.fromkeys(full, lost))
        assert {cell: scores[student, cell] for cell in full} == expected, student


@pytest.mark.parametrize("way", ["autograder", "nbgrader"])
def test_the_autograded_notebooks_say_what_was_repaired(graded, way):
    course, _ = graded[way]
    repairs = {}
    for student in CLASS:
        repairs[student] = record_of(course.autograded(student, QUICK_LESSON)).repairs
    assert [student for student, lines in repairs.items() if not lines] == ["honest"]
    assert "the solution cell stem was missing: added back unanswered" in repairs["deletes"]
    assert "2 cells are named tf_idf: the last one counts" in repairs["copies"]
    assert "tags removed from the graded cell test_tf_idf: skip-execution" in repairs["forges"]


def test_every_submission_is_a_row(graded):
    _, finished = graded["autograder"]
    for student in CLASS:
        assert any(f" {student}" in line for line in finished.stdout.splitlines())
    assert "Traceback" not in finished.stdout + finished.stderr
