"""Execute submissions on a Dask cluster whose workers aren't trusted.

Dask unpickles what it receives, and the author of a pickle decides what it executes. So the
grader has no Dask in its process: ``dask_client`` runs in a separate one, unpickles nothing, and
exchanges lines of JSON with the grader. Its answers are checked like a student's.
"""

from __future__ import annotations

import base64
import io
import itertools
import json
import math
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import nbformat
from nbformat import NotebookNode

from autograder.cells import grade_id
from autograder.errors import CourseError
from autograder.execution.executor import execute_all
from autograder.execution.job import Outcome, Plan
from autograder.execution.outputs import MAX_RESPONSES, MAX_TOTAL, OutputQuota, execution_count
from autograder.kernels import transfer
from autograder.kernels.sandbox import View
from autograder.sanitize.source import LessonSource

SEND_ATTEMPTS = 4
"""Attempts to send a submission that a worker couldn't execute."""

_CLIENT = (sys.executable, "-P", "-m", "autograder.execution.dask_client")
_LONGEST_REASON = 1000


class ClusterError(Exception):
    """A submission wasn't executed on the cluster; the message says why."""


class DaskPool:
    """A Dask cluster whose workers have this package, and nothing else of the course.

    Folders are sent with their notebooks: only the connection to the scheduler is shared. Dask's
    own configuration says how to connect, including certificates for TLS.

    Args:
        address: the scheduler's address.

    Raises:
        CourseError: when Dask isn't installed, or the scheduler doesn't answer.
    """

    def __init__(self, address: str) -> None:
        if find_spec("distributed") is None:
            raise CourseError("--scheduler needs Dask: pip install distributed")
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*_CLIENT, address, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the grader
            )
        self._socket, self._lines = ours, ours.makefile("rb")
        self._sending = threading.Lock()
        self._numbers = itertools.count()
        self._replies: dict[int, Future[Any]] = {}
        self._problem = ""
        first = json.loads(self._lines.readline() or b"{}")
        if "connected" not in first:
            self._stop()
            reason = first.get("stopped", "its client ended")
            raise CourseError(f"No Dask scheduler answers at {address}: {reason}")
        self._listener = threading.Thread(target=self._listen, daemon=True, name="cluster")
        self._listener.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()  # which gives up what still runs
        self._listener.join()
        self._lines.close()

    def preload(self, source: LessonSource, view: View | None) -> None:
        """Do nothing: workers import when they get their first submission."""

    def sandbox_problem(self) -> str:
        """Unknown here: workers report it when they get a submission."""
        return ""

    def size(self) -> int:
        """The number of threads of all present workers."""
        try:
            return max(1, int(self._ask({"size": True}).result()))
        except ClusterError:
            return 1  # and the submissions themselves say so

    def submit(
        self, folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan]
    ) -> Future[tuple[Outcome, ...]]:
        """Send a submission to a worker; write the files that it leaves to the folder."""
        task = json.dumps(
            {
                "files": _packed(folder, {}),
                "notebooks": [nbformat.writes(notebook, version=4) for notebook in notebooks],
                "plans": [plan.to_json() for plan in plans],
            }
        )
        answer: Future[tuple[Outcome, ...]] = Future()
        attempts = itertools.count(1)

        def send() -> None:
            request = {"task": task, "most": _most(notebooks, plans)}
            self._ask(request).add_done_callback(unpack)

        def unpack(sent: Future[str]) -> None:
            try:
                received = json.loads(sent.result())
                if "failed" in received and next(attempts) < SEND_ATTEMPTS:
                    send()
                    return
                files, outcomes = read_answer(received, notebooks, plans)
                room = transfer.FileQuota.of(folder, _disk(plans))
                for name, content in files.items():
                    transfer.put(io.BytesIO(content), name, folder, room)
                answer.set_result(outcomes)
            except BaseException as error:
                answer.set_exception(error)

        send()
        return answer

    def _ask(self, request: Mapping[str, Any]) -> Future[Any]:
        number = next(self._numbers)
        reply: Future[Any] = Future()
        self._replies[number] = reply
        line = json.dumps({"request": number, **request}).encode() + b"\n"
        try:
            with self._sending:
                self._socket.sendall(line)
        except OSError:
            self._fail()
        if self._problem:
            self._fail()
        return reply

    def _listen(self) -> None:
        """Hand out what the client says."""
        try:
            for line in self._lines:
                message = json.loads(line)
                if "stopped" in message:
                    self._problem = message["stopped"]
                    break
                reply = self._replies.pop(message["request"], None)
                if reply is None:
                    continue
                if "error" in message:
                    reply.set_exception(ClusterError(message["error"]))
                else:
                    reply.set_result(message["answer"])
        except (OSError, ValueError):
            pass  # it ended
        self._problem = self._problem or "the connection to the cluster was lost"
        self._fail()

    def _fail(self) -> None:
        """Fail everything that waits for a client that has ended."""
        problem = self._problem or "the connection to the cluster was lost"
        while self._replies:
            try:
                _, reply = self._replies.popitem()
            except KeyError:
                break
            reply.set_exception(ClusterError(problem))

    def _stop(self) -> None:
        with suppress(OSError):  # it may have ended
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def execute_sent(task: bytes) -> bytes:
    """Execute a submission on a worker, in a separate folder.

    It never raises, because Dask would send the exception as a pickle, which isn't read.
    """
    try:
        answer = _execute_sent(json.loads(task))
    except Exception as error:
        answer = {"failed": f"{type(error).__name__}: {error}"[:_LONGEST_REASON]}
    return json.dumps(answer).encode()


def _execute_sent(received: Mapping[str, Any]) -> dict[str, Any]:
    from distributed import get_worker

    plans = list(map(Plan.from_json, received["plans"]))
    notebooks = [nbformat.reads(text, as_version=4) for text in received["notebooks"]]
    with tempfile.TemporaryDirectory(prefix="submission-") as name:
        folder = Path(name)
        for path, content in received["files"].items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(base64.b64decode(content))
        outcomes = execute_all(folder, notebooks, plans, get_worker().state.nthreads)
        left = _packed(folder, received["files"])
    return {"outcomes": [outcome.to_json() for outcome in outcomes], "files": left}


def read_answer(
    received: Any, notebooks: Sequence[NotebookNode], plans: Sequence[Plan]
) -> tuple[dict[str, bytes], tuple[Outcome, ...]]:
    """Read a worker's answer, which may be anything.

    Args:
        received: parsed JSON.
        notebooks: the notebooks that it executed.
        plans: one per notebook.

    Returns:
        The files that the submission left, by path below its folder, and the outcomes.

    Raises:
        ClusterError: when the worker couldn't execute the submission, or its answer is invalid.
    """
    if isinstance(received, dict) and isinstance(received.get("failed"), str):
        raise ClusterError(received["failed"][:_LONGEST_REASON])
    try:
        files = {
            _text(name): base64.b64decode(_text(content), validate=True)
            for name, content in received["files"].items()
        }
        outcomes = tuple(
            _outcome(each, notebook)
            for each, notebook in zip(received["outcomes"], notebooks, strict=True)
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ClusterError(
            f"a worker's answer cannot be read ({type(error).__name__}: {error})"[:_LONGEST_REASON]
        ) from None
    for name in files:
        if not transfer.is_kept(name):
            raise ClusterError(f"a worker sent a file named {name[:200]!r}, which no kernel leaves")
    if sum(map(len, files.values())) > _disk(plans):
        raise ClusterError("a worker sent more files than a submission may leave")
    return files, outcomes


def _outcome(received: Mapping[str, Any], notebook: NotebookNode) -> Outcome:
    """One notebook's outcome, with only the outputs of its code cells."""
    code = {n: cell for n, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
    cells, room = {}, OutputQuota()
    for position, count, outputs in received["cells"]:
        if position not in code or not isinstance(outputs, list):
            raise ValueError(f"there is no code cell {position!r}")
        named = grade_id(code[position]) is not None
        cells[int(position)] = execution_count(count), room.clean(outputs, named=named)
    if cells.keys() != code.keys():
        raise ValueError(f"{len(cells)} of {len(code)} cells came back")
    seconds = {name: float(received["seconds"][name]) for name in ("start", "cells", "cpu")}
    if not all(map(math.isfinite, seconds.values())):
        raise ValueError(f"seconds are {seconds}")
    return Outcome(cells, _text(received["ended"])[:_LONGEST_REASON], seconds)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text is due, not {type(value).__name__}")
    return value


def _disk(plans: Sequence[Plan]) -> int:
    """The maximum size of the files that a submission may leave, in bytes."""
    return max((plan.limits.disk for plan in plans), default=0) * 2**20


def _most(notebooks: Sequence[NotebookNode], plans: Sequence[Plan]) -> int:
    """The maximum size of an answer in bytes: files as base64, text escaped as JSON, and what is
    left of outputs that decide the points."""
    named = sum(grade_id(cell) is not None for notebook in notebooks for cell in notebook.cells)
    cells = sum(len(notebook.cells) for notebook in notebooks)
    outputs = 6 * len(notebooks) * (MAX_TOTAL + MAX_RESPONSES)
    return 2 * _disk(plans) + outputs + named * 2**21 + cells * 2_000


def _packed(folder: Path, known: Mapping[str, str]) -> dict[str, str]:
    """The new files in a folder by path, without links."""
    files = {}
    for root, _, names in os.walk(folder):
        for path in (Path(root) / name for name in sorted(names)):
            if path.is_file() and not path.is_symlink():
                name = path.relative_to(folder).as_posix()
                content = base64.b64encode(path.read_bytes()).decode()
                if known.get(name) != content:
                    files[name] = content
    return files
