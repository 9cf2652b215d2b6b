"""A gradebook that another program holds, a folder that cannot be written: one sentence each."""

import sqlite3

import pytest

from autograder.course_folder import STAGING
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course


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


@pytest.mark.parametrize(
    "command",
    [("grade", LESSON), ("deadline", LESSON, "2026-10-01"), ("rejudge", LESSON)],
    ids=lambda command: command[0],
)
def test_a_folder_that_cannot_be_written_gets_one_sentence(course, autograder, command):
    place = course.root / STAGING
    if place.exists():
        place.rename(course.root / "elsewhere")
    place.symlink_to("/sys")  # where nobody makes files, not even root
    try:
        finished = autograder(*command, course=course.root)
    finally:
        place.unlink()
    assert finished.code == 2, finished.out
    assert finished.err.startswith("Error: ")
    assert str(place) in "".join(finished.err.split())
    assert "Traceback" not in finished.err


def test_a_gradebook_on_a_full_disk_gets_one_sentence(course, autograder, monkeypatch):
    def fill(*_):
        with sqlite3.connect(":memory:") as gradebook:
            gradebook.execute("PRAGMA max_page_count = 2")
            gradebook.execute("CREATE TABLE grade (points)")
            try:
                gradebook.executemany("INSERT INTO grade VALUES (?)", [("x" * 9000,)] * 9)
            except sqlite3.OperationalError as error:
                raise RuntimeError("as nbgrader wraps it") from error

    monkeypatch.setattr("autograder.grading.resubmissions.remarks", fill)
    finished = autograder("grade", LESSON, "--students", "ada", course=course.root)
    assert (finished.code, finished.err) == (
        2,
        "Error: The disk is full: the gradebook can't be written.\n",
    )
