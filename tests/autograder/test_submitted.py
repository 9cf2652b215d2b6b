"""What is too much to be handed in: it is refused before anything of it is copied or read."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.grading import batch
from autograder.grading.resubmissions import remarks
from autograder.reports import lesson_results
from autograder.sanitize.program_files import left_out
from autograder.sanitize.reader import MOST_VALUES
from autograder.sanitize.submission import (
    LARGEST_NOTEBOOKS,
    LONGEST_PATH,
    MOST_FILES,
    missing,
    read_timestamp,
    too_much,
)
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course

BIN = Path(sys.executable).parent
DISK = 2**20
NOTEBOOK = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def sparse(path, size):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)


def test_half_of_the_sandboxs_disk_is_for_what_was_handed_in(tmp_path):
    sparse(tmp_path / "data" / "one.bin", DISK // 4)
    sparse(tmp_path / "two.bin", DISK // 4)
    assert too_much(tmp_path, DISK) == ""
    (tmp_path / "three.txt").write_text("x")
    assert "half of c.ExecuteSubmission.disk_limit" in too_much(tmp_path, DISK)


def test_small_files_count_as_the_pages_that_they_take(tmp_path):
    for number in range(200):
        (tmp_path / f"{number}.txt").write_text("x")
    assert too_much(tmp_path, 2 * 200 * 4096) == ""
    assert too_much(tmp_path, 2 * 199 * 4096)


def test_a_notebook_in_a_folder_further_down_is_named(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "hw.ipynb").touch()
    (tmp_path / "data.csv").touch()
    said = "hw.ipynb is missing: only data.csv, work/hw.ipynb was handed in"
    assert missing(tmp_path, ["hw"]) == said


def test_links_are_not_followed(tmp_path):
    sparse(tmp_path / "elsewhere" / "large.bin", 1 << 40)
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "submission" / "link.bin").symlink_to(tmp_path / "elsewhere" / "large.bin")
    (tmp_path / "submission" / "link.ipynb").symlink_to(tmp_path / "elsewhere" / "large.bin")
    assert too_much(tmp_path / "submission", DISK) == ""
    sparse(tmp_path / "elsewhere" / "secret.ipynb", 1)
    assert "secret" not in missing(tmp_path / "submission", ["hw"])


def test_folders_count_as_files(tmp_path):
    for number in range(MOST_FILES):
        (tmp_path / str(number)).mkdir()
    assert too_much(tmp_path, DISK) == ""
    (tmp_path / "one.txt").touch()
    assert "files and folders" in too_much(tmp_path, DISK)


def test_what_programs_keep_counts_as_one_folder(tmp_path):
    for folder in (".venv", "work/.GIT", "work/env"):
        (tmp_path / folder / "lib").mkdir(parents=True)
        for number in range(MOST_FILES):
            (tmp_path / folder / "lib" / str(number)).touch()
    (tmp_path / "work" / "env" / "pyvenv.cfg").touch()
    sparse(tmp_path / "work" / "env" / "model.bin", DISK)
    assert too_much(tmp_path, DISK) == ""
    for number in range(MOST_FILES - 4):
        (tmp_path / "many" / str(number)).mkdir(parents=True)
        (tmp_path / "many" / str(number) / "pyvenv.cfg").touch()
    assert "files and folders" in too_much(tmp_path, DISK)


def test_folders_of_programs_are_listed_and_of_many_some(tmp_path):
    for number in range(8):
        (tmp_path / f"env{number}").mkdir()
        (tmp_path / f"env{number}" / "pyvenv.cfg").touch()
    lines = left_out(tmp_path)
    assert len(lines) == 6
    assert all(line.endswith(": left out, a program's own folder") for line in lines[:5])
    assert lines[5] == "left out: 3 more folders of programs"
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path / "env0")
    assert left_out(tmp_path / "work") == []


def test_a_path_that_would_be_too_long_for_a_copy_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(LONGEST_PATH // 200 + 1):
        (Path.cwd() / ("x" * 200)).mkdir()
        monkeypatch.chdir("x" * 200)
    assert "path" in too_much(tmp_path, DISK)


def test_notebooks_have_a_limit_of_their_own(tmp_path):
    sparse(tmp_path / "one.ipynb", LARGEST_NOTEBOOKS)
    assert too_much(tmp_path, DISK) == ""
    sparse(tmp_path / "two.ipynb", 1)
    assert "100 MB" in too_much(tmp_path, DISK)


def test_a_notebook_that_takes_much_memory_is_refused_and_text_is_not(tmp_path):
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps(NOTEBOOK | {"metadata": {"text": "x" * 20_000_000}}))
    assert too_much(tmp_path, DISK) == ""
    path.write_text(json.dumps(NOTEBOOK | {"metadata": {"many": [[]] * (MOST_VALUES + 1)}}))
    assert "lists and dictionaries" in too_much(tmp_path, DISK)


def test_what_is_too_long_for_a_time_is_not_read_as_one(tmp_path):
    """dateutil would take hours."""
    path = tmp_path / "timestamp.txt"
    path.write_text("2026-11-22 20:15:00.000000 UTC\n")
    assert (too_much(tmp_path, DISK), read_timestamp(tmp_path)) == ("", path.read_text().strip())
    path.write_text("9" * 10_000_000)
    assert too_much(tmp_path, DISK) == "timestamp.txt has no time"
    assert read_timestamp(tmp_path) == ""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    students = ["large", "timeless", "honest"]
    course = write_quick_course(tmp_path_factory.mktemp("course"), students)
    (course.submitted("timeless", LESSON) / "timestamp.txt").write_text("9" * 10_000_000)
    sparse(course.submitted("large", LESSON) / "data.bin", 600 << 20)
    return course


@pytest.mark.kernels
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


@pytest.mark.kernels
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


@pytest.mark.kernels
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


@pytest.mark.kernels
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
