"""A gradebook that another program holds: one sentence, whatever the command."""

import sqlite3

import pytest

from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = write_quick_course(tmp_path_factory.mktemp("course"), ["ada"])
    notebook = course.autograded("ada", LESSON)  # so that there is something to export
    notebook.parent.mkdir(parents=True)
    notebook.write_bytes((course.submitted("ada", LESSON) / f"{LESSON}.ipynb").read_bytes())
    return course


@pytest.mark.parametrize(
    "command",
    [("grade", LESSON), ("export", "canvas"), ("report", LESSON), ("release", LESSON)],
    ids=lambda command: command[0],
)
def test_a_gradebook_that_another_program_holds_gets_one_sentence(course, autograder, command):
    with sqlite3.connect(course.root / "gradebook.db") as other:
        other.execute("BEGIN EXCLUSIVE")
        finished = autograder(*command, course=course.root)
        other.rollback()
    assert finished.code == 2, finished.out
    said = " ".join(finished.err.split())
    assert said == (
        "Error: Another program is using the gradebook. Run the command again when it's done."
    )
