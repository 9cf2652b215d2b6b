"""Who hands in again after the grading is graded again, or named where nothing tells."""

import os
import shutil

import nbformat
import pytest

from autograder.course_folder import CourseFolder
from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.grading import batch
from autograder.grading.converter import converter_of
from autograder.grading.resubmissions import handed_in_again
from autograder.record import METADATA
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import flat, write_quick_course

EARLIER, LATER = "2026-11-10 10:00:00 UTC", "2026-11-14 10:00:00 UTC"


def grade(course, monkeypatch):
    """Grade both, with played kernels; return who is graded now, and not only shown."""
    play = Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})
    monkeypatch.setattr(executor, "execute", lambda *_: play)
    rows = list(batch.grade(course, LESSON, ["ada", "ben"]))
    assert [row.problem for row in rows] == ["", ""]
    return sorted(row.student for row in rows if row.seconds)


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    course = write_quick_course(tmp_path_factory.mktemp("course"), ["ada", "ben"])
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert grade(course, monkeypatch) == ["ada", "ben"]
    return course


@pytest.fixture
def course(once, tmp_path):
    """The course, with both students graded."""
    shutil.copytree(once.root, tmp_path / "course")
    return CourseFolder(tmp_path / "course")


def due(course):
    """Who would be graded."""
    converter = converter_of(course, LESSON, force=False)
    return [student for student in ("ada", "ben") if converter.needs_grading(student)]


def hand_in_again(course, student, time=""):
    path = course.submitted(student, LESSON) / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(f"'again {time}'"))
    nbformat.write(notebook, path)
    if time:
        (path.parent / "timestamp.txt").write_text(time)


def forget_what_was_graded(course, student):
    """As nbgrader leaves it."""
    path = course.autograded(student, LESSON)
    notebook = nbformat.read(path, as_version=4)
    del notebook.metadata[METADATA]
    path.chmod(0o644)
    nbformat.write(notebook, path)
    os.utime(path, (1, 1))


def test_a_time_that_came_after_the_grading_hides_no_later_submission(course, monkeypatch):
    (course.submitted("ada", LESSON) / "timestamp.txt").write_text(EARLIER)
    assert due(course) == []
    hand_in_again(course, "ada", LATER)
    assert grade(course, monkeypatch) == ["ada"]
    assert due(course) == []


def test_another_notebook_is_graded_without_any_time(course):
    hand_in_again(course, "ben")
    assert due(course) == ["ben"]


def test_a_later_time_is_enough(course):
    (course.autograded("ben", LESSON).parent / "timestamp.txt").write_text(EARLIER)
    (course.submitted("ben", LESSON) / "timestamp.txt").write_text(LATER)
    assert due(course) == ["ben"]


def test_what_nbgrader_graded_follows_its_times(course):
    stamps = [course.submitted("ada", LESSON), course.autograded("ada", LESSON).parent]
    for folder in stamps:
        (folder / "timestamp.txt").write_text(EARLIER)
    forget_what_was_graded(course, "ada")
    hand_in_again(course, "ada")
    assert handed_in_again(*stamps) is False
    (stamps[0] / "timestamp.txt").write_text(LATER)
    assert handed_in_again(*stamps) is True


@pytest.mark.parametrize("command", [("grade", LESSON), ("export", "canvas"), ("report", LESSON)])
def test_where_nothing_tells_the_commands_say_so(course, autograder, command):
    forget_what_was_graded(course, "ada")
    hand_in_again(course, "ada")
    said = flat(autograder(*command, course=course.root).out)
    assert "1 student may have handed in again after grading" in said
    assert f"autograder grade {LESSON} --force --students ada" in said


@pytest.mark.parametrize("command", [("export", "canvas"), ("report", LESSON)])
def test_who_handed_in_again_is_named_before_grades_go_out(course, autograder, command):
    hand_in_again(course, "ben")
    said = flat(autograder(*command, course=course.root).out)
    assert "1 student handed in again after grading" in said
    assert f"autograder grade {LESSON} --students ben" in said


def test_what_a_student_writes_in_place_of_our_notes_hinders_no_grading(course, monkeypatch):
    with (course.root / "nbgrader_config.py").open("a") as configuration:
        # As in a course whose notebooks nothing repairs.
        configuration.write("c.Autograde.sanitize_preprocessors = []\n")
    path = course.submitted("ada", LESSON) / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata[METADATA] = "not a table"
    nbformat.write(notebook, path)
    assert due(CourseFolder(course.root)) == ["ada"]
    assert grade(CourseFolder(course.root), monkeypatch) == ["ada"]
