"""Grading that is interrupted or fails, step by step; kernels are played."""

import dataclasses
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from autograder.errors import CourseError
from autograder.execution import executor
from autograder.execution.job import Outcome
from autograder.execution.notebook_client import execute
from autograder.grading import batch
from autograder.grading.converter import StagedAutograde
from autograder.grading.staging import Publication
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course

STUDENTS = ["ada", "ben", "cem"]


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return write_quick_course(tmp_path_factory.mktemp("course"), STUDENTS)


@pytest.fixture
def course(released):
    """The released course, with nothing graded."""
    yield released
    for name in ("autograded", ".autograder", "feedback"):
        if (released.root / name).exists():
            shutil.rmtree(released.root / name)
    with sqlite3.connect(released.root / "gradebook.db") as gradebook:
        gradebook.execute("UPDATE grade SET auto_score = NULL")


def grade(course, **options):
    """Grade everybody, one after the other."""
    return list(batch.grade(course, LESSON, STUDENTS, pool=executor.LocalPool(1), **options))


def left(course):
    """What a run left of its own beside the grades."""
    return sorted(
        str(path.relative_to(course.root / ".autograder"))
        for path in (course.root / ".autograder").rglob("*")
        if path.is_file() and path.name != ".lock"
    )


def stop_at(monkeypatch, step, student):
    """Have a step interrupted once, for one student."""
    real = getattr(StagedAutograde, step)

    def stopping(self, prepared, *rest):
        if prepared.student == student:
            monkeypatch.setattr(StagedAutograde, step, real)
            raise KeyboardInterrupt
        return real(self, prepared, *rest)

    monkeypatch.setattr(StagedAutograde, step, stopping)


def test_what_was_executed_is_not_executed_again(course, executed, monkeypatch):
    stop_at(monkeypatch, "record", "ben")
    with pytest.raises(KeyboardInterrupt):
        grade(course)
    assert course.autograded("ada", LESSON).is_file()
    assert not course.autograded("ben", LESSON).exists()
    assert f"ben/{LESSON}.json" in left(course)
    executed.clear()
    rows = grade(course)
    assert "ben" not in executed
    assert "ada" not in executed
    assert [row.problem for row in rows] == [""] * 3
    assert left(course) == []


def test_what_was_handed_in_anew_meanwhile_is_executed(course, executed, monkeypatch):
    stop_at(monkeypatch, "record", "ben")
    with pytest.raises(KeyboardInterrupt):
        grade(course)
    path = course.submitted("ben", LESSON) / f"{LESSON}.ipynb"
    before = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("'anew'"))
    nbformat.write(notebook, path)
    executed.clear()
    grade(course)
    assert "ben" in executed
    cells = nbformat.read(course.autograded("ben", LESSON), as_version=4).cells
    assert cells[-1].source == "'anew'"
    path.write_bytes(before)


def test_interrupted_before_the_execution_was_kept_it_is_repeated(course, executed, monkeypatch):
    stop_at(monkeypatch, "keep", "ben")
    with pytest.raises(KeyboardInterrupt):
        grade(course)
    assert f"ben/{LESSON}.json" not in left(course)
    executed.clear()
    assert [row.problem for row in grade(course)] == [""] * 3
    assert "ben" in executed
    assert left(course) == []


def test_who_interrupts_is_told_how_to_go_on(course, executed, monkeypatch, autograder):
    stop_at(monkeypatch, "keep", "ben")
    finished = autograder("grade", LESSON, "--jobs", "1", course=course.root)
    assert finished.code == 130
    assert finished.err == "Interrupted. Run the same command again to resume.\n"
    assert autograder("grade", LESSON, "--jobs", "1", course=course.root).code == 0


def test_a_second_interrupt_does_not_interrupt_the_ending(course):
    """Pressing Ctrl-C twice during a real grading prints no traceback."""
    command = [Path(sys.executable).parent / "autograder", "grade", LESSON, "--jobs", "1"]
    variables = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=course.root, env=variables, stderr=-1, stdout=-1, text=True
    ) as running:
        assert "1/3 " in running.stdout.readline()
        running.send_signal(signal.SIGINT)
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=120)
    assert running.returncode == 130
    assert told.split("\n") == [
        *("", "Stopping kernels ...", "Interrupted. Run the same command again to resume.", "")
    ]


def test_a_kernel_that_starts_at_the_second_attempt_costs_nobody_anything(course, monkeypatch):
    attempts = []

    def play(notebook, folder, plan):
        attempts.append(folder.parent.name)
        if len(attempts) == 1:
            raise RuntimeError("Kernel didn't respond")
        return Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})

    monkeypatch.setattr(executor, "execute", play)
    assert [row.problem for row in grade(course)] == [""] * 3
    assert attempts == ["ada", "ada", "ben", "cem"]


def test_a_failure_of_ours_is_not_graded_and_an_earlier_grade_stays(course, executed, monkeypatch):
    grade(course)
    before = course.autograded("ben", LESSON).read_bytes()

    def fail(notebook, folder, plan):
        raise RuntimeError("Kernel didn't respond in 60 seconds\nand more")

    monkeypatch.setattr(executor, "execute", fail)
    problems = {row.problem for row in grade(course, force=True)}
    assert problems == {
        "not graded: RuntimeError: Kernel didn't respond in 60 seconds (the earlier grade is kept)"
    }
    assert course.autograded("ben", LESSON).read_bytes() == before
    assert left(course) == []


def test_a_full_disk_while_recording_costs_no_earlier_grade(course, executed, monkeypatch):
    grade(course)
    before = course.autograded("ben", LESSON).read_bytes()

    def full(self, prepared, outcomes):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StagedAutograde, "record", full)
    problems = {row.problem for row in grade(course, force=True)}
    assert problems == {
        "not graded: OSError: [Errno 28] No space left on device (the earlier grade is kept)"
    }
    assert course.autograded("ben", LESSON).read_bytes() == before


def test_who_puts_an_older_gradebook_back_grades_what_it_does_not_know(course, executed):
    grade(course)
    executed.clear()
    with course.as_working_directory(), course.nbgrader.gradebook as gradebook:
        gradebook.remove_submission(LESSON, "ben")
    assert [row.problem for row in grade(course)] == [""] * 3
    assert executed == ["ben"]


def test_killed_when_all_but_the_tidying_was_done_nothing_is_lost(course, executed, monkeypatch):
    beside = course.submitted("ben", LESSON) / "beside.txt"
    beside.write_text("mine")
    real = Publication.finish

    def stopping(self):
        if self.published.parent.name == "ben":
            raise KeyboardInterrupt
        real(self)

    with monkeypatch.context() as patch:
        patch.setattr(Publication, "finish", stopping)
        with pytest.raises(KeyboardInterrupt):
            grade(course)
    assert f"ben/{LESSON}.json" in left(course)
    executed.clear()
    grade(course)
    assert "ben" not in executed
    grade(course, force=True)
    assert "ben" in executed
    assert course.autograded("ben", LESSON).with_name("beside.txt").read_text() == "mine"
    assert left(course) == []
    beside.unlink()


def test_each_row_says_what_its_phases_took(course, executed):
    for row in grade(course):
        assert set(row.seconds) == {"prepare", "start", "cells", "cpu", "record"}
        assert row.seconds["cpu"] == 3.0
        assert row.seconds["record"] > 0
    assert [row.seconds for row in grade(course)] == [{}] * 3


def test_feedback_after_grading_is_for_everybody(course, executed):
    grade(course)
    assert course.run("generate_feedback", LESSON) is None
    pages = sorted(path.parts[-3] for path in course.root.glob(f"feedback/*/{LESSON}/*.html"))
    assert pages == STUDENTS


def test_a_second_grading_of_the_same_course_is_refused(course, executed):
    rows = batch.grade(course, LESSON, STUDENTS, pool=executor.LocalPool(1))
    next(rows)
    with pytest.raises(CourseError, match="wait until it is done"):
        grade(course)
    rows.close()
    grade(course)


def test_demonstrations_are_left_out_unless_all_cells_are_asked_for(course, monkeypatch):
    plans = []

    def play(notebook, folder, plan):
        plans.append((notebook, plan))
        return Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})

    monkeypatch.setattr(executor, "execute", play)
    grade(course)
    notebook, plan = plans[0]
    skipped = [notebook.cells[position] for position in plan.skipped]
    assert len(skipped) > 10
    assert all(cell.cell_type == "code" and "nbgrader" not in cell.metadata for cell in skipped)
    assert 0 not in plan.skipped
    plans.clear()
    grade(course, force=True, all_cells=True)
    assert all(plan.skipped == frozenset() for _, plan in plans)


def test_the_mark_is_the_sources_and_a_changed_cell_is_executed(course, monkeypatch):
    plans = []

    def play(notebook, folder, plan):
        plans.append((notebook, plan))
        return Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})

    monkeypatch.setattr(executor, "execute", play)
    path = course.submitted("ada", LESSON) / f"{LESSON}.ipynb"
    before = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    marked = [cell for cell in notebook.cells if "demonstration" in cell.metadata.get("tags", [])]
    marked[0].source += "\n\ndef helper():\n    return 1"
    changed, mine = marked[0].source, "mine = 1"
    notebook.cells.append(
        nbformat.v4.new_code_cell(mine, metadata={"tags": ["demonstration", "skip-execution"]})
    )
    nbformat.write(notebook, path)
    list(batch.grade(course, LESSON, ["ada"], pool=executor.LocalPool(1)))
    sanitized, plan = plans[0]
    executed_sources = [
        cell.source for number, cell in enumerate(sanitized.cells) if number not in plan.skipped
    ]
    assert changed in executed_sources
    assert mine in executed_sources
    assert len(plan.skipped) == len(marked) - 1
    path.write_bytes(before)


def test_the_configuration_may_ask_for_all_cells(course, monkeypatch):
    skipped = []

    def play(notebook, folder, plan):
        skipped.append(len(plan.skipped))
        return Outcome({}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0})

    monkeypatch.setattr(executor, "execute", play)
    with monkeypatch.context() as patched:
        patched.setitem(course.nbgrader.config.ExecuteSubmission, "all_cells", True)
        list(batch.grade(course, LESSON, ["ada"], force=True))
    list(batch.grade(course, LESSON, ["ada"], force=True))
    assert skipped[0] == 0 < skipped[1]


def test_a_kernel_that_is_not_here_is_named(course, monkeypatch):
    def missing(notebook, folder, plan):
        options = plan.options | {"kernel_name": "no-such-kernel"}
        return execute(notebook, folder, dataclasses.replace(plan, options=options))

    monkeypatch.setattr(executor, "execute", missing)
    assert {row.problem for row in grade(course)} == {
        "not graded: the kernel 'no-such-kernel' isn't installed here"
    }


def test_the_command_grades_all_that_was_handed_in_and_says_what_it_took(
    course, executed, autograder
):
    finished = autograder("grade", course=course.root)
    assert finished.code == 0
    assert sorted(executed) == STUDENTS
    assert "3 graded in" in finished.out
    assert "kernel CPU time 3.00" in " ".join(finished.out.split())
    again = autograder("grade", course=course.root)
    assert "graded in" not in again.out
    assert sorted(executed) == STUDENTS


def test_where_nothing_was_handed_in_the_command_says_so(tmp_path, autograder, course):
    shutil.copy(course.root / "nbgrader_config.py", tmp_path)
    finished = autograder("grade", course=tmp_path)
    assert (finished.code, "There is no <student>/<lesson>/ in " in finished.err) == (2, True)
