"""Notebooks as editors, platforms and converters leave them: collected, then graded like others."""

import copy
import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from nbgrader.api import Gradebook

from tests.support.archives import packed
from tests.support.commands import BIN, run
from tests.support.every_kind import LESSON, Released
from tests.unit.autograder.sanitize.test_reader import WRITTEN

GRADED = ["as-released", "bom", "utf-16", "windows-1252", "crlf", "outputs-mixed", "no-metadata"]
GRADED += ["no-format", "attachments-null", "deep"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """All of them collected from one archive, and graded both ways."""
    released = Released(tmp_path_factory.mktemp("course"))
    notebook = json.loads(json.dumps(released.answered()))
    content = {
        f"{student}/{LESSON}.ipynb": WRITTEN[student](copy.deepcopy(notebook)) for student in GRADED
    }
    archive = tmp_path_factory.mktemp("archive") / "class.zip"
    archive.write_bytes(packed(content))
    root = tmp_path_factory.mktemp("graded") / "course"
    shutil.copytree(released.root, root)
    collected = run(root, BIN / "autograder", "collect", LESSON, archive)
    theirs = root.with_name("theirs")
    shutil.copytree(root, theirs)
    with ThreadPoolExecutor() as both:
        grading = both.submit(run, root, BIN / "autograder", "grade", LESSON)
        autograding = both.submit(run, theirs, BIN / "nbgrader", "autograde", LESSON)
    return {
        "collect": (root, collected),
        "grade": (root, grading.result()),
        "nbgrader": (theirs, autograding.result()),
    }


@pytest.mark.parametrize("way", ["collect", "grade", "nbgrader"])
def test_what_is_collected_is_graded(graded, way):
    root, finished = graded[way]
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert len(list(root.glob("submitted/*/*/*.ipynb"))) == len(GRADED)
    if way == "collect":
        return
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        scores = {
            submission.student.id: {
                grade.name: grade.auto_score for grade in submission.notebooks[0].grades
            }
            for submission in gradebook.assignment_submissions(LESSON)
        }
    right = {"test_double": 2.0, "test_triple": 3.0, "essay": None, "plan": None, "project": None}
    assert scores == dict.fromkeys(GRADED, right)
    for path in root.glob(f"autograded/*/{LESSON}/*.ipynb"):
        cells = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
        assert cells["setup"].execution_count
        assert not cells["show"].execution_count, "a demonstration, whatever its line ends are"
