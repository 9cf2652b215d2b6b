"""Grading on a Dask cluster: a real scheduler and real workers, on this machine."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course

pytestmark = pytest.mark.cluster

BIN = Path(sys.executable).parent
STUDENTS = 6


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Submissions that read and write a file, and take a while."""
    names = [f"student{number}" for number in range(STUDENTS)]
    course = write_quick_course(tmp_path_factory.mktemp("course"), names)
    for name in names:
        folder = course.submitted(name, LESSON)
        (folder / "beside.txt").write_text("read me")
        notebook = nbformat.read(folder / f"{LESSON}.ipynb", as_version=4)
        notebook.cells.append(
            nbformat.v4.new_code_cell(
                "import time\n"
                "time.sleep(2)\n"
                "with open('left.txt', 'w') as file:\n"
                "    file.write(open('beside.txt').read().upper())"
            )
        )
        nbformat.write(notebook, folder / f"{LESSON}.ipynb")
    return course.root


@pytest.fixture
def cluster(tmp_path):
    """The scheduler's address and two workers that see neither course nor gradebook."""
    place = tmp_path / "scheduler.json"
    started = []

    def start(*arguments):
        command = [BIN / "dask", *arguments, "--no-dashboard"]
        started.append(subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL))

    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", place)
    deadline = time.monotonic() + 60
    while not place.is_file():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    address = json.loads(place.read_text())["address"]
    for name in ("first", "second"):
        one_kernel = ("--nworkers", "1", "--nthreads", "1", "--no-nanny")
        start("worker", address, *one_kernel, "--local-directory", tmp_path / name)
    yield address, started[1:]
    for process in started:
        process.kill()
        process.wait()


def test_a_worker_that_dies_costs_a_retry_and_no_grade(course, cluster):
    address, workers = cluster
    grading = subprocess.Popen(
        [BIN / "autograder", "grade", LESSON, "--scheduler", address],
        cwd=course, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"COLUMNS": "140"},
    )  # fmt: skip
    lines = []
    for line in grading.stdout:
        lines.append(line)
        if f" 1/{STUDENTS} " in line:
            workers[0].kill()
    assert grading.wait() == 0, "".join(lines)
    rows = [line for line in lines if f"/{STUDENTS} " in line]
    assert len(rows) == STUDENTS
    for line in rows:
        earned, maximum = line.split(": ")[1].split(" points")[0].split(" of ")
        assert earned == maximum
    for folder in (course / "autograded").iterdir():
        assert (folder / LESSON / "left.txt").read_text() == "READ ME"
        assert (folder / LESSON / "beside.txt").read_text() == "read me"


def test_a_scheduler_that_is_not_there_is_one_clear_line(course, autograder):
    finished = autograder("grade", LESSON, "--scheduler", "tcp://127.0.0.1:9", course=course)
    assert finished.code == 2
    assert "No Dask scheduler answers at tcp://127.0.0.1:9" in finished.err
    assert "Traceback" not in finished.err
