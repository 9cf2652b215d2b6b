"""What must hold again and again, and takes minutes: forks, and gradings that are killed.

``make stress`` runs these.
"""

import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.execution.job import Plan
from autograder.execution.notebook_client import execute
from autograder.kernels import client, sandbox
from tests.conftest import LESSON, REPOSITORY, write_small_course
from tests.support.commands import BIN

pytestmark = pytest.mark.slow

FORKS = 500
KILLS = 20
MODULES = ("numpy", "tensorflow", "keras")

TRAINING = """
import keras, numpy as np
model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
x = np.random.normal(size=(64, 4))
history = model.fit(x, x.sum(axis=1), epochs=2, batch_size=16, verbose=0)
print(np.isfinite(history.history["loss"]).all())
"""


def _busy():
    while True:
        pass


def test_hundreds_of_forks_train_and_leave_nothing_behind(tmp_path):
    sandboxed = not sandbox.problem()
    server = client.shared(MODULES, {}, () if sandboxed else None)
    server.wait_until_ready()
    notebook = new_notebook(cells=[new_code_cell(TRAINING)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python"}
    options = {"timeout": 120, "shutdown_kernel": "immediate"}
    plan = Plan(options, {}, MODULES, sandboxed=sandboxed)

    def train(number):
        outcome = execute(notebook, tmp_path, plan)
        assert outcome.ended == ""
        assert outcome.cells[0][1][0]["text"] == "True\n", outcome.cells
        if number % 50 == 0:
            print(f"{number} of {FORKS}", flush=True)

    train(0)
    descriptors = [psutil.Process(pid).num_fds() for pid in (os.getpid(), server.pid)]
    processes = len(psutil.Process(server.pid).children(recursive=True))
    train(1)
    neighbour = None
    try:
        for number in range(2, FORKS):
            if number == FORKS // 2:
                neighbour = multiprocessing.get_context("spawn").Process(target=_busy, daemon=True)
                neighbour.start()
            train(number)
    finally:
        if neighbour:
            neighbour.kill()
            neighbour.join()
            neighbour.close()
    deadline = time.monotonic() + 20
    while len(psutil.Process(server.pid).children(recursive=True)) > processes:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    for pid, before in zip((os.getpid(), server.pid), descriptors, strict=True):
        # multiprocessing keeps its resource tracker's pipe.
        assert psutil.Process(pid).num_fds() <= before + 2
    client.close_all()


@pytest.fixture
def course(tmp_path):
    (tmp_path / "course").mkdir()
    root = write_small_course(tmp_path / "course")
    (root / "course" / "answers").mkdir(parents=True)
    answers = REPOSITORY / "tests" / "submissions" / LESSON
    for command in (("release",), ("simulate", LESSON, "--answers", answers)):
        subprocess.run([BIN / "autograder", *command], cwd=root, check=True, capture_output=True)
    return root


def grades(course):
    """All grades with all that identifies them, after the gradebook's integrity check."""
    with sqlite3.connect(course / "gradebook.db") as gradebook:
        assert gradebook.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = gradebook.execute(
            "SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score,"
            " grade.manual_score, grade.needs_manual_grade FROM grade"
            " JOIN base_cell ON base_cell.id = grade.cell_id"
            " JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id"
            " JOIN submitted_assignment"
            " ON submitted_assignment.id = submitted_notebook.assignment_id"
        ).fetchall()
    assert len({row[:2] for row in rows}) == len(rows)
    return sorted(rows, key=str)


def published(course):
    """When each submission that is done was done."""
    return {
        path.parent.parent.name: path.stat().st_mtime_ns
        for path in course.glob(f"autograded/*/{LESSON}/{LESSON}.ipynb")
    }


def test_killed_at_random_moments_a_grading_ends_as_an_undisturbed_one(course, tmp_path):
    undisturbed = tmp_path / "undisturbed"
    shutil.copytree(course, undisturbed)
    command = [BIN / "autograder", "grade", LESSON]
    started = time.monotonic()
    subprocess.run(command, cwd=undisturbed, check=True, capture_output=True)
    whole = time.monotonic() - started
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}; undisturbed: {whole:.1f} s", flush=True)
    moments = random.Random(seed)
    kills = 0
    while kills < KILLS:
        before = published(course)
        grading = subprocess.Popen(
            command, cwd=course, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            grading.wait(moments.uniform(0.2, 1.0) * whole)
        except subprocess.TimeoutExpired:
            grading.send_signal(signal.SIGKILL)
            grading.wait()
            kills += 1
        after = published(course)
        assert before.items() <= after.items(), "what was recorded was repeated"
        if len(after) == len(list((course / "submitted").iterdir())):
            # All done: begin anew, but leave some grades to be found.
            for student in moments.sample(sorted(after), 7):
                shutil.rmtree(course / "autograded" / student)
        print(f"{kills} kills, {len(after)} done", flush=True)
    subprocess.run(command, cwd=course, check=True, capture_output=True)
    assert grades(course) == grades(undisturbed)
    assert set(published(course)) == set(published(undisturbed))
    left = [path for path in (course / ".autograder").rglob("*") if path.is_file()]
    assert [path.name for path in left] == [".lock"]


def test_interrupted_by_a_person_it_stops_at_once_and_goes_on_later(course):
    command = [BIN / "autograder", "grade", LESSON]
    grading = subprocess.Popen(command, cwd=course, stdout=subprocess.PIPE, text=True)
    next(line for line in grading.stdout if line.startswith("  1/"))
    grading.send_signal(signal.SIGINT)
    started = time.monotonic()
    grading.stdout.read()
    assert grading.wait(30) != 0
    print(f"stopped after {time.monotonic() - started:.1f} s")
    done = published(course)
    assert done
    subprocess.run(command, cwd=course, check=True, capture_output=True)
    assert done.items() <= published(course).items()


def test_two_gradings_of_one_course_do_not_meet(course):
    command = [BIN / "autograder", "grade", LESSON]
    with ThreadPoolExecutor() as both:
        finished = list(
            both.map(
                lambda _: subprocess.run(command, cwd=course, capture_output=True, text=True),
                range(2),
            )
        )
    codes = sorted(run.returncode for run in finished)
    assert codes in ([0, 0], [0, 2])
    if codes == [0, 2]:
        assert "wait until it is done" in "".join(run.stderr for run in finished)
