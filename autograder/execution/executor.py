"""Execute notebooks in kernels on this machine; ``dask_executor`` uses a cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, Self

from nbformat import NotebookNode

from autograder.execution.job import Outcome, OutOfMemory, Plan
from autograder.execution.notebook_client import execute
from autograder.kernels import client, sandbox
from autograder.sanitize.source import LessonSource

START_ATTEMPTS = 2
"""Attempts to start a kernel."""

THREAD_VARIABLES = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")
"""Environment variables that tell libraries a kernel's share of the cores."""


class Pool(Protocol):
    """Executes submissions in parallel; leaving its context ends all kernels."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def preload(self, source: LessonSource, view: sandbox.View | None) -> None:
        """Start preloading what a notebook's kernels will need; return at once.

        Args:
            source: the notebook.
            view: what a sandbox shows; None without a sandbox.
        """

    def sandbox_problem(self) -> str:
        """Why there can be no sandbox where it executes, or "" if there can, or it's unknown."""

    def size(self) -> int:
        """The number of submissions that it can now execute in parallel."""

    def submit(
        self, folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan]
    ) -> Future[tuple[Outcome, ...]]:
        """Execute a submission's notebooks in a folder."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def execute_all(
    folder: Path, notebooks: Sequence[NotebookNode], plans: Sequence[Plan], jobs: int
) -> tuple[Outcome, ...]:
    """Execute a submission's notebooks, one after the other.

    Args:
        folder: the kernels' working directory.
        notebooks: sanitized.
        plans: one per notebook.
        jobs: the number of submissions that share this machine's cores.
    """
    threads = str(max(1, cores() // jobs))
    limits = dict.fromkeys(THREAD_VARIABLES, threads)
    return tuple(
        _execute(notebook, folder, plan.with_variables(limits))
        for notebook, plan in zip(notebooks, plans, strict=True)
    )


def _execute(notebook: NotebookNode, folder: Path, plan: Plan) -> Outcome:
    for attempt in range(1, START_ATTEMPTS + 1):
        try:
            with _lock.shared():
                return execute(notebook, folder, plan)
        except OutOfMemory:
            break  # perhaps another submission's fault
        except (RuntimeError, OSError, client.CannotFork):  # a kernel that did not start
            if attempt == START_ATTEMPTS:
                raise
    try:
        with _lock.exclusive():
            return execute(notebook, folder, plan)
    except OutOfMemory:
        raise OutOfMemory(
            "the system ran out of memory, even with nothing else running next to it: set "
            f"c.ExecuteSubmission.memory_limit (now {plan.limits.memory}, in MB) below what is free"
        ) from None


class _ReadersWriterLock:
    """Lets executions in this process run in parallel, or one of them alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = self._waiting_exclusive = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Run in parallel with others, but after those that must run alone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting_exclusive)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Run alone: wait for the others, and keep new ones from starting."""
        with self._changed:
            self._waiting_exclusive += 1
            self._changed.wait_for(lambda: not self._running)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._waiting_exclusive -= 1
                self._changed.notify_all()


_lock = _ReadersWriterLock()


class LocalPool:
    """Kernels on this machine, each watched by a thread.

    Args:
        jobs: the number of kernels in parallel; if left out, one more than there are cores, because
            a kernel that starts or ends waits for a good part of the time.
        stays: whether the processes that fork kernels are left for another pool.
    """

    def __init__(self, jobs: int | None = None, *, stays: bool = False) -> None:
        self._jobs, self._stays = jobs or cores() + 1, stays
        self._threads = ThreadPoolExecutor(self._jobs, thread_name_prefix="kernel")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        if any(error) or not self._stays:  # an interrupt ends what runs
            client.close_all()
        self._threads.shutdown()

    def preload(self, source: LessonSource, view: sandbox.View | None) -> None:
        """Start the process that forks kernels, where there can be one."""
        with suppress(client.CannotFork, sandbox.SandboxError):
            client.shared(source.modules, source.variables, view)

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
