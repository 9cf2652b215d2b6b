"""What is too much to be handed in: it's refused, and the others are graded."""

import os
import shutil
import subprocess

import pytest

from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.grading import batch
from autograder.grading.resubmissions import remarks
from autograder.reports import lesson_results
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course
from tests.support.commands import BIN
from tests.unit.autograder.sanitize.test_submission import sparse


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    students = ["large", "timeless", "honest"]
    course = write_quick_course(tmp_path_factory.mktemp("course"), students)
    (course.submitted("timeless", LESSON) / "timestamp.txt").write_text("9" * 10_000_000)
    sparse(course.submitted("large", LESSON) / "data.bin", 600 << 20)
    return course


def test_a_large_submission_is_refused_before_anything_is_copied(course, monkeypatch):
    play = Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})
    monkeypatch.setattr(executor, "execute", lambda *_: play)
    students = ["large", "timeless", "honest"]
    rows = {row.student: row for row in batch.grade(course, LESSON, students)}
    assert rows["large"].problem.startswith("the files that were handed in take 600 MB")
    assert rows["timeless"].problem == "timestamp.txt has no time"
    assert rows["honest"].problem == ""
    assert not (course.root / ".autograder" / "large").exists()
    # Nor does anything else read them.
    found = {
        each.student: each.row.problem
        for each in lesson_results.read_results(course, LESSON).submissions
    }
    assert found["timeless"] == "timestamp.txt has no time"
    assert not any("timeless" in line for line in remarks(course, LESSON))


def test_a_virtual_environment_beside_the_notebook_is_left_out_with_a_remark(course, monkeypatch):
    folder = course.submitted("honest", LESSON)
    (folder / ".venv" / "lib").mkdir(parents=True)
    for number in range(6_000):
        (folder / ".venv" / "lib" / f"{number}.py").touch()
    os.mkfifo(folder / ".venv" / "pipe")
    (folder / "node_modules").symlink_to(course.root)
    (folder / "beside.txt").touch()
    seen = []

    def play(notebook, there, plan):
        seen.extend(path.name for path in there.iterdir())
        return Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})

    monkeypatch.setattr(executor, "execute", play)
    (row,) = batch.grade(course, LESSON, ["honest"], force=True)
    assert row.problem == ""
    assert ".venv: left out, a program's own folder" in row.repairs
    assert seen == ["beside.txt"]
    (row,) = batch.grade(course, LESSON, ["honest"])
    assert row.problem == ""
    shutil.rmtree(folder / ".venv")
    (folder / "node_modules").unlink()


def test_nbgrader_leaves_a_large_submission_out_and_grades_the_others(course):
    command = [BIN / "nbgrader", "autograde", LESSON, "--force"]
    finished = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert "was not graded: the files that were handed in take 600 MB" in finished.stderr
    assert "was not graded: timestamp.txt has no time" in finished.stderr
    assert not (course.root / "autograded" / "large").exists()
    assert course.autograded("honest", LESSON).is_file()
    for options in (("--student", "large"), ("--student", "honest", "--no-execute")):
        finished = subprocess.run(
            [*command, *options], cwd=course.root, capture_output=True, text=True
        )
        assert finished.returncode == 1
        assert "Nothing was graded: " in finished.stderr
    assert "leave it out" in finished.stderr
    assert course.autograded("honest", LESSON).is_file()


def test_the_time_that_a_submission_may_take_is_configured(course, monkeypatch):
    totals = []

    def play(notebook, folder, plan):
        totals.append(plan.total)
        return Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})

    monkeypatch.setattr(executor, "execute", play)
    list(batch.grade(course, LESSON, ["honest"], force=True))
    monkeypatch.setitem(course.nbgrader.config.ExecuteSubmission, "total_timeout", 77)
    list(batch.grade(course, LESSON, ["honest"], force=True))
    assert totals == [3600, 77]
