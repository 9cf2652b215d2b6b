"""The bank of hostile submissions, and a place to grade them in that they cannot leave.

Run as a script, this is the first process of that place: it runs a command, and reports what the
command left behind.
"""

from __future__ import annotations

import ctypes
import fcntl
import functools
import json
import os
import re
import runpy
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import jupytext
import nbformat
import psutil
import yaml

from autograder.simulate import Stated
from tests.support.submitted import worth

REPOSITORY = Path(__file__).parents[2]
BANK = REPOSITORY / "tests" / "submissions" / "hostile"
LESSON = "01-text-preprocessing"

NAMESPACES = ("unshare", "--pid", "--fork", "--mount-proc", "--net", "--ipc", "--kill-child")
MEMORY, PROCESSES = 6 << 30, 1_500
"""What all of a contained command may use together: a hole must not cost the machine."""

PORT = 47_811
"""Of the decoys that wait for whoever gets out by TCP or UDP."""

ABSTRACT_SOCKET = "\0hostile-decoy"


@functools.cache
def maximum() -> Mapping[str, float]:
    """What every exercise of the lesson is worth, in the lesson's order."""
    notebook = nbformat.read(REPOSITORY / "source" / LESSON / f"{LESSON}.ipynb", as_version=4)
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    return {
        mark["grade_id"].removeprefix("test_"): float(mark["points"])
        for mark in marks
        if mark.get("grade") and not mark["solution"]
    }


@dataclass(frozen=True)
class Attack:
    """One hostile submission, as written in a file of ``tests/submissions/hostile/<family>``.

    The file is Python in the percent format, one cell for each answer that is not the reference,
    named by its ``grade_id``. In the family ``surgery`` it defines ``submit(notebook, folder)``
    instead, which gets the notebook with all right answers and the submission's empty folder; it
    is our own code. The family ``unusual`` attacks nothing: honest students hand in such things.
    The YAML header says:

    - ``attack``: what is tried, in one sentence.
    - ``quick``: whether it takes about a second; then ``make test-hostile`` grades it, else
      ``make stress``.
    - ``fails``: by exercise, the aspects that fail, or ``everything``; nothing where left out.
    - ``lost_from``: an exercise; it and all after it earn nothing.
    - ``reason``: what the explanation of the first lost points must match, or that by exercise.
    - ``refused``: what must be said of the submission when nothing in it can be graded.
    - ``repair``: what one of the repairs of the notebook must match.
    - ``only``: why it is for ``autograder grade`` alone: what nbgrader does with it before our part
      begins.

    Args:
        path: the file.
        points: by exercise; for a refused submission none.
        reasons: by exercise, a regular expression.
        quick, refused, repair, only: as in the header.
    """

    path: Path
    points: Mapping[str, float]
    reasons: Mapping[str, str]
    quick: bool
    refused: str
    repair: str
    only: str

    @property
    def family(self) -> str:
        """The folder."""
        return self.path.parent.name

    @property
    def student(self) -> str:
        """A name for whoever hands it in."""
        return f"{self.family}_{self.path.stem}"

    def submit(self, reference: Path, folder: Path) -> None:
        """Hand it in.

        Args:
            reference: a notebook with all right answers.
            folder: where; it does not exist yet.
        """
        folder.mkdir(parents=True)
        notebook = nbformat.read(reference, as_version=4)
        if self.family == "surgery":
            runpy.run_path(str(self.path))["submit"](notebook, folder)
            return
        for name, source in self._cells().items():
            next(cell for cell in notebook.cells if cell.id == name).source = source
        nbformat.write(notebook, folder / f"{LESSON}.ipynb")

    def _cells(self) -> Mapping[str, str]:
        cells = jupytext.read(self.path, fmt="py:percent").cells
        return {cell.metadata["grade_id"]: cell.source for cell in cells[1:]}


def read(path: Path) -> Attack:
    """Read a file of the bank."""
    header = jupytext.read(path, fmt="py:percent").cells[0].source
    stated = yaml.safe_load(header.strip().strip("-"))
    known = {"attack", "quick", "fails", "lost_from", "reason", "refused", "repair", "only"}
    assert "attack" in stated and stated.keys() <= known, f"{path}: {sorted(stated)}"
    points = maximum() | {
        name: worth(Stated.read({"fails": titles}), f"preprocessing.{name}", maximum()[name])
        for name, titles in stated.get("fails", {}).items()
    }
    if "lost_from" in stated:
        exercises = list(maximum())
        points |= dict.fromkeys(exercises[exercises.index(stated["lost_from"]) :], 0.0)
    assert points.keys() == maximum().keys(), f"{path}: {sorted(points)}"
    reason = stated.get("reason", {})
    lost = [name for name, most in maximum().items() if points[name] < most]
    assert bool(lost) == bool(reason), f"{path}: lost points and their reason"
    return Attack(
        path=path,
        points={} if "refused" in stated else points,
        reasons=reason if isinstance(reason, Mapping) else {lost[0]: reason},
        quick=stated.get("quick", False),
        refused=stated.get("refused", ""),
        repair=stated.get("repair", ""),
        only=stated.get("only", ""),
    )


@functools.cache
def bank() -> list[Attack]:
    """All hostile submissions."""
    found = [read(path) for path in sorted(BANK.glob("*/*.py"))]
    assert found, f"no hostile submission in {BANK}: nothing would be tried"
    return found


@dataclass(frozen=True)
class Finished:
    """How a contained command came out.

    Args:
        code: its exit status; None when it was stopped at its time limit.
        out: what it printed, on whatever stream.
        living: command lines of processes that went on when it had ended.
        seconds: by the clock.
    """

    code: int | None
    out: str
    living: Sequence[str]
    seconds: float


def ended_for_memory() -> int:
    """How many processes the system has ended to get their memory."""
    counters = dict(line.split() for line in Path("/proc/vmstat").read_text().splitlines())
    return int(counters["oom_kill"])


@functools.cache
def can_contain() -> bool:
    """Whether this user may make the namespaces around a command."""
    if os.geteuid() or not shutil.which(NAMESPACES[0]):
        return False
    return subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode == 0


def contained(
    command: Sequence[object],
    *,
    folder: Path,
    variables: Mapping[str, str],
    secrets: Mapping[str, str],
    limit: float,
    memory: int = MEMORY,
) -> Finished:
    """Run a command where it sees no process, network or semaphore but its own.

    Where this user may not make such a place, only its processes are watched.

    Args:
        command: with its arguments.
        folder: the working directory.
        variables: its environment, beside the path.
        secrets: what the decoys beside it give away: ``"process"`` in a command line, ``"socket"``
            to whoever connects.
        limit: seconds by the clock, after which it is stopped.
        memory: bytes that all its processes may use together.
    """
    report = Path(variables["TMPDIR"]).with_suffix(".report")
    task = {"command": [str(part) for part in command], "limit": limit, "secrets": dict(secrets)}
    script = [sys.executable, str(Path(__file__)), str(report), json.dumps(task)]
    with _control_groups(memory) as join:
        finished = subprocess.run(
            [*(NAMESPACES if can_contain() else ()), *script],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            preexec_fn=join,
        )
    assert report.is_file(), f"nothing was reported ({finished.returncode}): {finished.stderr}"
    return Finished(**json.loads(report.read_text()))


@contextmanager
def _control_groups(memory: int) -> Iterator:
    """Make groups with limits, where they can be made; give what makes a process join them."""
    root, name = Path("/sys/fs/cgroup"), f"hostile-{os.getpid()}"
    limits = {"memory.limit_in_bytes": memory, "memory.max": memory, "pids.max": PROCESSES}
    groups = []
    for parent in (root / "memory", root / "pids", root):
        group = parent / name
        with suppress(OSError):
            if not (parent / "cgroup.procs").is_file():
                continue
            group.mkdir()
            groups.append(group)
            for file, most in limits.items():
                if (group / file).is_file():
                    (group / file).write_text(str(most))

    def join() -> None:
        for group in groups:
            (group / "cgroup.procs").write_text("0")

    try:
        yield join
    finally:
        for group in groups:
            group.rmdir()


def main() -> None:
    """Run a command with decoys beside it; write a report."""
    report, task = Path(sys.argv[1]), json.loads(sys.argv[2])
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans become children of this process
    _start_decoys(task["secrets"])
    started = time.monotonic()
    with report.with_suffix(".out").open("w+", errors="replace") as out:
        process = subprocess.Popen(task["command"], stdout=out, stderr=out)
        try:
            code = process.wait(task["limit"])
        except subprocess.TimeoutExpired:
            code = None
        seconds = time.monotonic() - started
        living = _living() if code is not None else []
        out.seek(0)
        finished = {"code": code, "out": out.read(), "living": living, "seconds": seconds}
    for child in psutil.Process().children(recursive=True):
        child.kill()
    report.write_text(json.dumps(finished))


def _living() -> list[str]:
    """The processes below this one that do not end at once."""
    children: list[psutil.Process] = []
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        children = psutil.Process().children(recursive=True)
        if not children:
            break
        time.sleep(0.1)
    return [" ".join(child.cmdline()) or child.name() for child in children]


def _start_decoys(secrets: Mapping[str, str]) -> None:
    """Wait, within reach of a kernel that gets out, with something to give away."""
    _bring_loopback_up()
    path = str(Path(os.environ["TMPDIR"]).with_suffix(".sock"))
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", PORT)),
        (socket.AF_UNIX, ABSTRACT_SOCKET),
        (socket.AF_UNIX, path),
    ):
        server = (
            socket.create_server(address) if family == socket.AF_INET else socket.socket(family)
        )
        if family == socket.AF_UNIX:
            server.bind(address)
            server.listen()
        threading.Thread(target=_give_away, args=(server, secrets["socket"]), daemon=True).start()
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", PORT))
    threading.Thread(target=_answer, args=(datagrams, secrets["socket"]), daemon=True).start()


def _give_away(server: socket.socket, secret: str) -> None:
    while True:
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.sendall(secret.encode())


def _answer(datagrams: socket.socket, secret: str) -> None:
    while True:
        _, sender = datagrams.recvfrom(1000)
        datagrams.sendto(secret.encode(), sender)


def _bring_loopback_up() -> None:
    """A new network namespace's own interface is down."""
    set_flags, up_and_running = 0x8914, 0x41
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket, suppress(PermissionError):
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", up_and_running))


def forbidden_in(text: str, secrets: Mapping[str, str]) -> list[str]:
    """What of the secrets, or of success in getting somewhere, stands in a text."""
    found = [place for place, secret in secrets.items() if secret in text]
    return found + (["REACHED"] if re.search(r"\bREACHED\b", text) else [])


if __name__ == "__main__":
    main()
