"""Grading on SLURM, as the guide says: a real controller and node, on this machine alone."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from tests.conftest import QUICK_LESSON as LESSON
from tests.conftest import write_quick_course
from tests.support.commands import BIN
from tests.support.pages import block

DAEMONS = ("munged", "slurmctld", "slurmd")
SEARCHED = f"{os.environ['PATH']}{os.pathsep}/usr/sbin"
pytestmark = [
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(shutil.which(name, path=SEARCHED) for name in DAEMONS),
        reason="starts SLURM on this machine: needs root and slurm-wlm "
        "(Debian: apt install slurm-wlm)",
    ),
]

BLOCKS = [block("guide.md", "On a cluster", "python", "SLURMCluster")]
STUDENTS = ("ann", "bo", "cy")
PATIENCE = 300  # seconds: others may use the machine

# One node that has what the guide's jobs ask for, whatever this machine has; nothing of SLURM's
# that needs systemd or control groups.
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={controller}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
AuthType=auth/munge
AuthInfo=socket={folder}/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 RealMemory=64000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP MaxTime=INFINITE
"""


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


@pytest.fixture
def slurm(monkeypatch):
    """A cluster of one node; its commands find it."""
    folder = Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))  # sockets have short paths
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    values = {"host": socket.gethostname().partition(".")[0], "folder": folder}
    ports = {"controller": free_port(), "node": free_port()}
    configuration = folder / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(**values, **ports))
    monkeypatch.setenv("SLURM_CONF", str(configuration))
    monkeypatch.setenv("PATH", SEARCHED)
    keys = (f"--key-file={key}", f"--socket={folder}/munge", f"--seed-file={folder}/seed")
    commands = [
        ["munged", "--foreground", "--force", *keys, f"--pid-file={folder}/munged.pid"],
        ["slurmctld", "-D", "-f", configuration],
        ["slurmd", "-D", "-f", configuration],
    ]
    log = (folder / "log").open("w")
    started = []
    try:
        for command in commands:
            started.append(subprocess.Popen(command, stdout=log, stderr=log))
            time.sleep(1)
        deadline = time.monotonic() + PATIENCE
        ready = ["sinfo", "--noheader", "--format=%t"]
        while subprocess.run(ready, capture_output=True, text=True).stdout.strip() != "idle":
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.5)
        yield
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()
        log.close()
        shutil.rmtree(folder)


@pytest.fixture
def scheduler(slurm, tmp_path):
    """The address that the guide's program prints; it ends the cluster when it goes on."""
    (tmp_path / "cluster.py").write_text(BLOCKS[0].text)
    program = subprocess.Popen(
        [BIN / "python", "-u", "cluster.py"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    yield program.stdout.readline().strip()
    program.communicate("\n")
    assert program.returncode == 0


def test_a_class_is_graded_by_jobs(tmp_path, scheduler):
    (tmp_path / "course").mkdir()
    course = write_quick_course(tmp_path / "course", STUDENTS)
    done = subprocess.run(
        [BIN / "autograder", "grade", LESSON, "--scheduler", scheduler],
        cwd=course.root, env=os.environ | {"COLUMNS": "140"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    queue = subprocess.run(["squeue"], capture_output=True, text=True).stdout
    assert done.returncode == 0, done.stdout + queue
    for student in STUDENTS:
        assert re.search(rf"{student}: [1-9]\d* of \d+ points", done.stdout), done.stdout
    assert " R " in queue, queue
