"""Notebooks with other names, and several where one is expected, through every way in."""

import copy
import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.cells import grade_id
from autograder.course_folder import CourseFolder
from autograder.grading.resubmissions import remarks
from autograder.sanitize.recognition import NO_TASKS
from tests.conftest import flat, write_configuration
from tests.support.archives import packed
from tests.support.commands import BIN, run
from tests.support.every_kind import ANSWERS, exercise, lesson

LESSON, SECOND = "two-notebooks", "second"
ALL = ANSWERS | {"square": "def square(x):\n    return 9 * x"}


def answered(notebook, answers):
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    return nbformat.writes(notebook).encode()


def converted(content):
    """A notebook as programs leave it that keep neither cells' metadata nor their ids."""
    cells = [cell | {"metadata": {}} for cell in json.loads(content)["cells"]]
    for number, cell in enumerate(cells):
        cell["id"] = f"new-{number}"
    return json.dumps(json.loads(content) | {"cells": cells}).encode()


def handed_in(release):
    """By student, the files that they hand in.

    Args:
        release: by name, what they got.
    """
    first, second = release[LESSON], release[SECOND]
    untouched, right = answered(first, {}), answered(first, ALL)
    half = answered(first, {"double": ANSWERS["double"]})
    wrong = answered(first, ALL | {"triple": "def triple(x):\n    return 0"})
    names = {f"{SECOND}.ipynb": answered(second, ALL)}
    other = nbformat.writes(new_notebook(cells=[new_markdown_cell("My notes")])).encode()
    files = {
        "honest": {f"{LESSON}.ipynb": right},
        "renamed": {f"{LESSON}_final_Priya.ipynb": right},
        "copied": {f"{LESSON}.ipynb": untouched, f"{LESSON}-Copy1.ipynb": right},
        "numbered": {f"{LESSON}.ipynb": untouched, f"{LESSON} (1).ipynb": right},
        "downloaded-again": {f"{LESSON}.ipynb": right, f"{LESSON} (1).ipynb": untouched},
        "went-on": {f"{LESSON}.ipynb": half, "Copy of mine.ipynb": right, "old.ipynb": untouched},
        "saved-as-text": {f"{LESSON}.ipynb.txt": right},
        "capitals": {f"{LESSON.upper()}.IPYNB": right},
        "mac": {f"{LESSON}.ipynb": right, f"._{LESSON}.ipynb": b"\0\5\x16\7\0\2\0\0Mac OS X"},
        "notes": {f"{LESSON}.ipynb": right, "notes.ipynb": other},
        "twice": {f"{LESSON}.ipynb": wrong, f"{LESSON}-Copy1.ipynb": right},
        "empty": {f"{LESSON}.ipynb": b"\n", f"{LESSON}-Copy1.ipynb": right},
        "broken": {f"{LESSON}.ipynb": right[:300], f"{LESSON}-Copy1.ipynb": right},
        "converted": {f"{LESSON}.ipynb": converted(right)},
    }
    files = {student: names | own for student, own in files.items()}
    files["second-renamed"] = {
        f"{LESSON}.ipynb": right,
        "Untitled.ipynb": names[f"{SECOND}.ipynb"],
    }
    return files


UNSURE = {"twice", "broken", "converted"}
RIGHT = {"test_double": 2.0, "test_triple": 3.0, "essay": None, "plan": None, "project": None}
RIGHT |= {"test_square": 4.0}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A lesson of two notebooks, released."""
    root = tmp_path_factory.mktemp("course")
    write_configuration(root)
    folder = root / "source" / LESSON
    folder.mkdir(parents=True)
    first = lesson()
    nbformat.write(first, folder / f"{LESSON}.ipynb")
    nbformat.write(
        new_notebook(cells=exercise("square", 9, 4), metadata=first.metadata),
        folder / f"{SECOND}.ipynb",
    )
    course = CourseFolder(root)
    assert course.run("generate_assignment", LESSON) is None
    return course


@pytest.fixture(scope="module")
def files(course):
    folder = course.release(LESSON).parent
    return handed_in(
        {path.stem: nbformat.read(path, as_version=4) for path in folder.glob("*.ipynb")}
    )


@pytest.fixture(scope="module")
def graded(course, files, tmp_path_factory):
    """The class, as folders and as a zip, graded both ways."""
    zipped = tmp_path_factory.mktemp("zip") / "course"
    shutil.copytree(course.root, zipped)
    archive = zipped.with_name("class.zip")
    archive.write_bytes(
        packed(
            {
                f"{who}/{name}": content
                for who, own in files.items()
                for name, content in own.items()
            }
        )
    )
    for student, own in files.items():
        for name, content in own.items():
            path = course.submitted(student, LESSON) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    theirs = tmp_path_factory.mktemp("theirs") / "course"
    shutil.copytree(course.root, theirs)
    collected = run(zipped, BIN / "autograder", "collect", LESSON, archive)
    with ThreadPoolExecutor() as both:
        ways = {
            "folders": both.submit(run, course.root, BIN / "autograder", "grade", LESSON),
            "zip": both.submit(run, zipped, BIN / "autograder", "grade", LESSON),
            "nbgrader": both.submit(run, theirs, BIN / "nbgrader", "autograde", LESSON),
        }
    roots = {"folders": course.root, "zip": zipped, "nbgrader": theirs}
    return {way: (roots[way], each.result()) for way, each in ways.items()} | {
        "collected": (zipped, collected)
    }


def grades(root):
    """By student, what every cell earned and whether it waits for a person."""
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        return {
            submission.student.id: {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions(LESSON)
            if CourseFolder(root).autograded(submission.student.id, LESSON).is_file()
        }


@pytest.mark.parametrize("way", ["folders", "zip", "nbgrader"])
def test_the_answered_notebook_is_graded_whatever_its_name(graded, files, way):
    root, finished = graded[way]
    right = {name: (score, score is None) for name, score in RIGHT.items()}
    assert grades(root) == dict.fromkeys(files.keys() - UNSURE, right), (
        finished.stdout + finished.stderr
    )


@pytest.mark.parametrize("way", ["folders", "zip", "nbgrader"])
def test_where_it_is_not_sure_a_row_says_so_and_nothing_is_graded(graded, way):
    root, finished = graded[way]
    said = flat(finished.stdout) + finished.stderr
    assert f"it's unclear whether {LESSON}.ipynb or {LESSON}-Copy1.ipynb is to be graded" in said
    assert not [who for who in UNSURE if (root / "autograded" / who / LESSON).exists()]


@pytest.mark.parametrize("way", ["folders", "collected", "nbgrader"])
def test_who_lost_every_mark_of_the_lesson_is_told_so_and_gets_no_zero(graded, way):
    finished = graded[way][1]
    assert f"{LESSON}.ipynb: {NO_TASKS}" in flat(finished.stdout + finished.stderr)


def test_what_was_taken_for_what_is_remarked(graded):
    said = flat(graded["folders"][1].stdout)
    for remark in (
        f"{LESSON}_final_Priya.ipynb: has the tasks of {LESSON}.ipynb, and is graded as it",
        f"{LESSON}.ipynb: {LESSON}-Copy1.ipynb is graded instead, because it has more answers",
        f"{LESSON} (1).ipynb: also has the lesson's tasks, but only {LESSON}.ipynb is graded",
        f"Untitled.ipynb: has the tasks of {SECOND}.ipynb, and is graded as it",
    ):
        assert remark in said
    assert "notes.ipynb" not in said


def test_a_renamed_notebook_is_graded_again_when_it_changes(graded):
    course = CourseFolder(graded["folders"][0])
    assert not remarks(course, LESSON)
    path = course.submitted("copied", LESSON) / f"{LESSON}-Copy1.ipynb"
    notebook = json.loads(path.read_bytes())
    path.write_text(json.dumps(notebook | {"metadata": {"mine": 1}}))
    assert "1 student handed in again" in "".join(remarks(course, LESSON))
