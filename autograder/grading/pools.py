"""Where notebooks are executed: in kernels on this machine, or on a Dask cluster."""

from __future__ import annotations

import base64
import json
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, Self

import nbformat
from nbformat import NotebookNode

from autograder.course_folder import CourseError
from autograder.grading.execution import Outcome, OutOfMemory, Plan, execute
from autograder.grading.source import Source
from autograder.kernels import client, sandbox

ATTEMPTS = 2
"""How often a kernel that does not start is tried."""


class Pool(Protocol):
    """Executes submissions side by side; leaving it ends all kernels."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def preload(self, source: Source, hidden: Sequence[str] | None) -> None:
        """Begin with what the kernels for a notebook will need; return at once.

        Args:
            source: the notebook.
            hidden: folders that a sandbox hides; None where there is to be none.
        """

    def sandbox_problem(self) -> str:
        """Why there can be no sandbox where it executes, or "" where that is not known."""

    def size(self) -> int:
        """How many submissions it executes at a time, now."""

    def submit(
        self, folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan]
    ) -> Future[tuple[Outcome, ...]]:
        """Execute a submission's notebooks in a folder."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def execute_all(
    folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan], jobs: int
) -> tuple[Outcome, ...]:
    """Execute a submission's notebooks, one after the other.

    Args:
        folder: the kernels' working directory.
        notebooks: sanitized.
        plans: one for each notebook.
        jobs: how many submissions share this machine's cores.
    """
    threads = str(max(1, cores() // jobs))
    limits = dict.fromkeys(
        ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"), threads
    )
    return tuple(
        _execute(notebook, folder, plan.with_variables(limits))
        for notebook, plan in zip(notebooks, plans, strict=True)
    )


def _execute(notebook: NotebookNode, folder: Path, plan: Plan) -> Outcome:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with _company.shared():
                return execute(notebook, folder, plan)
        except OutOfMemory:
            break  # perhaps another submission's fault
        except (RuntimeError, OSError, client.CannotFork):  # a kernel that did not start
            if attempt == ATTEMPTS:
                raise
    try:
        with _company.alone():
            return execute(notebook, folder, plan)
    except OutOfMemory:
        raise OutOfMemory(
            "the system ran out of memory, even with nothing else executed beside it: set "
            f"c.ExecuteSubmission.memory_limit (now {plan.limits.memory}, in MB) below what is free"
        ) from None


class _Company:
    """Lets executions in this process run side by side, or one of them alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = self._waiting_alone = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Run beside others, but after those that are to run alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting_alone)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run when no other does, and keep others from starting."""
        with self._changed:
            self._waiting_alone += 1
            self._changed.wait_for(lambda: not self._running)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._waiting_alone -= 1
                self._changed.notify_all()


_company = _Company()


class LocalPool:
    """Kernels on this machine, each watched by a thread.

    Args:
        jobs: how many at a time; if left out, one more than there are cores, since a kernel that
            starts or ends waits for a good part of the time.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs or cores() + 1
        self._threads = ThreadPoolExecutor(self._jobs, thread_name_prefix="kernel")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        client.close_all()
        self._threads.shutdown()

    def preload(self, source: Source, hidden: Sequence[str] | None) -> None:
        """Start the process that forks kernels, where there can be one."""
        with suppress(client.CannotFork, sandbox.SandboxError):
            client.shared(source.modules, source.variables, hidden)

    def sandbox_problem(self) -> str:
        """Why there can be no sandbox on this machine, or ""."""
        return sandbox.problem()

    def size(self) -> int:
        """The number of jobs."""
        return self._jobs

    def submit(
        self, folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan]
    ) -> Future[tuple[Outcome, ...]]:
        """Execute in a kernel, as soon as one is free."""
        return self._threads.submit(execute_all, folder, notebooks, plans, self._jobs)


class DaskPool:
    """A Dask cluster whose workers have this package, and nothing else of the course.

    Folders travel with their notebooks: nothing is shared but the connection to the scheduler. What
    is sent and what comes back is JSON.

    Args:
        address: of the scheduler.

    Raises:
        CourseError: when Dask is not installed, or nobody answers.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise CourseError("--scheduler needs Dask: pip install distributed") from None
        try:
            self._client = distributed.Client(address, timeout=10)
        except (OSError, ValueError) as error:
            raise CourseError(f"No Dask scheduler answers at {address}: {error}") from None
        # A submission whose worker died is given to another.
        self._executor = self._client.get_executor(retries=3, pure=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()  # which gives up what still runs

    def preload(self, source: Source, hidden: Sequence[str] | None) -> None:
        """Workers import when they get their first submission."""

    def sandbox_problem(self) -> str:
        """Workers say so themselves when they get a submission."""
        return ""

    def size(self) -> int:
        """The threads of all workers that are there now."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return max(1, sum(worker["nthreads"] for worker in workers))

    def submit(
        self, folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan]
    ) -> Future[tuple[Outcome, ...]]:
        """Send a submission to a worker; put the files that it leaves into the folder."""
        task = {
            "files": _packed(folder, {}),
            "notebooks": [nbformat.writes(notebook, version=4) for notebook in notebooks],
            "plans": [plan.to_json() for plan in plans],
        }
        answer: Future[tuple[Outcome, ...]] = Future()

        def unpack(sent: Future[str]) -> None:
            try:
                received = json.loads(sent.result())
                _unpack(received["files"], folder)
                answer.set_result(tuple(map(Outcome.from_json, received["outcomes"])))
            except BaseException as error:
                answer.set_exception(error)

        self._executor.submit(execute_sent, json.dumps(task)).add_done_callback(unpack)
        return answer


def execute_sent(task: str) -> str:
    """Execute a submission on a worker, in a folder of its own."""
    from distributed import get_worker

    received = json.loads(task)
    plans = list(map(Plan.from_json, received["plans"]))
    notebooks = [nbformat.reads(text, as_version=4) for text in received["notebooks"]]
    with tempfile.TemporaryDirectory(prefix="submission-") as name:
        folder = Path(name)
        _unpack(received["files"], folder)
        outcomes = execute_all(folder, notebooks, plans, get_worker().state.nthreads)
        left = _packed(folder, received["files"])
    return json.dumps({"outcomes": [outcome.to_json() for outcome in outcomes], "files": left})


def _packed(folder: Path, known: Mapping[str, str]) -> dict[str, str]:
    """The files in a folder that are not known already, by path; links are left out."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            name = path.relative_to(folder).as_posix()
            content = base64.b64encode(path.read_bytes()).decode()
            if known.get(name) != content:
                files[name] = content
    return files


def _unpack(files: Mapping[str, Any], folder: Path) -> None:
    """Write files where they belong, and nowhere else."""
    root = folder.resolve()
    for name, content in files.items():
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise ValueError(f"a file came back for {name!r}, outside of the submission")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
