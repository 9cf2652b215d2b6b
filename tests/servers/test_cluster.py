"""Grading on a Dask cluster: a real scheduler and real workers, on this machine."""

import json
import os
import shutil
import subprocess

import nbformat
import pytest

from autograder.errors import CourseError
from autograder.execution.dask_executor import ClusterError, DaskPool, read_answer
from autograder.execution.job import Outcome, Plan
from autograder.kernels.sandbox import Limits
from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course
from tests.kernels.test_kernels import MODULES, OPTIONS, notebook, printed
from tests.support.cluster import dask_cluster
from tests.support.commands import BIN
from tests.support.pages import block

BLOCKS = [
    block("guide.md", "On a cluster", "yaml"),
    block("guide.md", "On a cluster", "sh", "openssl"),
]

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
    """The scheduler's address and two workers."""
    with dask_cluster(tmp_path, workers=2) as found:
        yield found


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


# --- workers that nobody can trust ---------------------------------------------------------------

HOSTILE = """
import os, pickle
import distributed.worker
from distributed.protocol import to_serialize
from autograder.execution import dask_executor

CODE = '''import os; os.environ.get("ON_THE_CLUSTER") or open(MARKER, "w").write("executed")'''


class Bomb(Exception):
    def __reduce__(self):
        return exec, (CODE,)


# Dask loads this file more than once.
honest = getattr(dask_executor, "honest", dask_executor.execute_sent)
reported = getattr(dask_executor, "reported", distributed.worker.error_message)
dask_executor.honest, dask_executor.reported = honest, reported


def execute_sent(task):
    if b"result" in task:
        return Bomb()
    if b"exception" in task or b"traceback" in task:
        raise Bomb() if b"exception" in task else ValueError("look at the traceback")
    return honest(task)


def error_message(error, status="error"):
    message = reported(error, status)
    if "traceback" in str(error):
        message["traceback"] = to_serialize(pickle.dumps(Bomb()))
    return message


dask_executor.execute_sent, distributed.worker.error_message = execute_sent, error_message
"""


def executed(pool, folder, source):
    """What the cluster makes of a notebook with one cell."""
    plan = Plan(OPTIONS, {}, MODULES, limits=Limits(disk=1))
    return pool.submit(folder, [notebook(source)], [plan]).result(120)


def test_what_a_worker_sends_is_never_executed(tmp_path):
    marker = tmp_path / "marker"
    script = tmp_path / "hostile.py"
    script.write_text(HOSTILE.replace("MARKER", repr(str(marker))))
    (tmp_path / "work").mkdir()
    preload = ("--preload", str(script))
    with (
        dask_cluster(tmp_path, options=preload, variables={"ON_THE_CLUSTER": "1"}) as (
            address,
            _,
        ),
        DaskPool(address) as pool,
    ):
        assert printed(executed(pool, tmp_path / "work", "print('honest')")[0]) == "honest\n"
        for kind in ("exception", "traceback"):
            with pytest.raises(ClusterError, match="gave up on the submission"):
                executed(pool, tmp_path / "work", f"'{kind}'")
        with pytest.raises(ClusterError, match="would have executed"):
            executed(pool, tmp_path / "work", "'result'")
        with pytest.raises(ClusterError, match="would have executed"):
            executed(pool, tmp_path / "work", "'nothing is sent there any more'")
    assert not marker.exists()


@pytest.mark.skipif(not shutil.which("openssl"), reason="makes certificates: install openssl")
def test_certificates_keep_out_who_has_none(tmp_path, monkeypatch):
    settings, command = BLOCKS
    subprocess.run(
        ["bash", "-e", "-c", command.text], cwd=tmp_path, check=True, capture_output=True
    )
    configuration = tmp_path / "dask" / "distributed.yaml"
    configuration.parent.mkdir()
    configuration.write_text(settings.text.replace("/etc/grading", str(tmp_path)))
    variables = {"DASK_CONFIG": str(configuration.parent)}
    (tmp_path / "work").mkdir()
    with dask_cluster(tmp_path, options=("--protocol", "tls"), variables=variables) as (
        address,
        _,
    ):
        assert address.startswith("tls://")
        for refused in (address, address.replace("tls", "tcp")):
            with pytest.raises(CourseError, match="No Dask scheduler answers"):
                DaskPool(refused)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        with DaskPool(address) as pool:
            assert printed(executed(pool, tmp_path / "work", "print('safe')")[0]) == "safe\n"


CELL = [0, 1, [{"output_type": "stream", "name": "stdout", "text": "x"}]]
OUTCOME = {"cells": [CELL], "ended": "", "seconds": {"start": 1, "cells": 2, "cpu": 3}}
ANSWER = {"files": {"a/b.txt": "eA=="}, "outcomes": [OUTCOME]}


def answered(answer):
    return read_answer(answer, [notebook("print('x')")], [Plan({}, {}, limits=Limits(disk=1))])


def test_an_answer_is_read():
    files, outcomes = answered(json.loads(json.dumps(ANSWER)))
    assert files == {"a/b.txt": b"x"}
    assert outcomes == (Outcome({0: (1, CELL[2])}, "", {"start": 1.0, "cells": 2.0, "cpu": 3.0}),)


@pytest.mark.parametrize(
    "answer",
    [
        *(None, [], "text", {}, {"failed": "no bubblewrap"}, ANSWER | {"outcomes": []}),
        *(ANSWER | {"files": {name: "eA=="}} for name in ("../x", "/x", "a//x", "a/../../x")),
        *(
            ANSWER | {"files": {name: "eA=="}}
            for name in ("x.ipynb", "Timestamp.txt", ".x", "a\nb")
        ),
        ANSWER | {"files": {"x": "not base64"}},
        ANSWER | {"files": {"x": "eHh4" * 2**19}},
        *(
            ANSWER | {"outcomes": [OUTCOME | wrong]}
            for wrong in (
                {"cells": []},
                {"cells": [[1, 1, []]]},
                {"cells": [[[], 1, []]]},
                {"cells": [[0, 1, "outputs"]]},
                {"cells": 3},
                {"ended": 3},
                {"seconds": {}},
                {"seconds": {"start": 1, "cells": 2, "cpu": float("nan")}},
            )
        ),
    ],
)
def test_an_answer_that_no_worker_gives_is_refused(answer):
    with pytest.raises(ClusterError):
        answered(answer)
