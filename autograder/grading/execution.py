"""Executing one notebook in a kernel of its own: the step that may run on any machine.

It needs neither gradebook nor nbgrader: a notebook and a folder go in, outputs come out.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import nbformat
import psutil
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.cells import defined_names
from autograder.kernels import provisioner

WALL_FACTOR = 4
"""A cell that computes nothing, but sleeps, may take so many times its limit."""

ENDED = "KernelEnded"
"""The name of the error in cells that a kernel's end cut off."""

GRACE = 10.0
"""Seconds to obey an interrupt in."""


@dataclass(frozen=True)
class Plan:
    """How to execute a notebook.

    Args:
        options: traits of ``nbclient.NotebookClient``; ``timeout`` counts a cell's own CPU seconds.
        variables: the kernel's environment on top of this process's.
        modules: what the forking process imports.
        import_variables: environment variables for these imports.
        skipped: positions of cells that are not executed, unless another one needs them.
    """

    options: Mapping[str, Any]
    variables: dict[str, str]
    modules: tuple[str, ...] = ()
    import_variables: Mapping[str, str] = field(default_factory=dict)
    skipped: frozenset[int] = frozenset()

    def with_variables(self, variables: Mapping[str, str]) -> Plan:
        """The same with more variables."""
        return replace(self, variables=self.variables | variables)


@dataclass(frozen=True)
class Outcome:
    """What an execution left: of each cell the outputs and the execution count, nothing else.

    Args:
        cells: by position, ``[execution count, outputs]``.
        ended: why the kernel did not reach the last cell, or "".
        seconds: what ``start`` and ``cells`` took, and the kernel's ``cpu``.
    """

    cells: Mapping[int, tuple[int | None, list[dict[str, Any]]]]
    ended: str
    seconds: Mapping[str, float]

    def put_into(self, notebook: NotebookNode) -> None:
        """Give the cells their outputs."""
        for position, (count, outputs) in self.cells.items():
            cell = notebook.cells[position]
            cell.execution_count, cell.outputs = count, nbformat.from_dict(outputs)

    def to_json(self) -> dict[str, Any]:
        """For a file, or to send."""
        return asdict(self) | {"cells": [[n, *cell] for n, cell in self.cells.items()]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Outcome:
        """Read what ``to_json`` wrote."""
        cells = {n: (count, outputs) for n, count, outputs in data["cells"]}
        return cls(cells, data["ended"], data["seconds"])


def execute(notebook: NotebookNode, folder: Path, plan: Plan) -> Outcome:
    """Execute a notebook.

    A kernel that dies ends the execution; what came out before is in the outcome.

    Args:
        notebook: is left as it is.
        folder: the kernel's working directory.
        plan: how.

    Raises:
        jupyter_client.kernelspec.NoSuchKernel: when the notebook names a kernel that is not here.
        RuntimeError: when the kernel does not start.
    """
    outcome, executed = _execute(notebook, folder, plan, plan.skipped)
    if plan.skipped and _misses_names(executed, plan.skipped):
        outcome, _ = _execute(notebook, folder, plan, frozenset())
    return outcome


def _execute(
    notebook: NotebookNode, folder: Path, plan: Plan, skipped: frozenset[int]
) -> tuple[Outcome, NotebookNode]:
    copy = nbformat.from_dict(notebook)
    # Unix sockets' paths are short: this folder is beside no other.
    with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:
        client = _Client(copy, Path(sockets), plan, skipped)
        started = time.perf_counter()
        ended = ""
        try:
            asyncio.run(client.run(folder))
        except DeadKernelError:
            ended = client.ended or "the kernel died"
            client.mark_unfinished(ended)
    total = time.perf_counter() - started
    cells = {
        position: (cell.execution_count, cell.outputs)
        for position, cell in enumerate(copy.cells)
        if cell.cell_type == "code"
    }
    seconds = {"start": total - client.seconds, "cells": client.seconds, "cpu": client.cpu}
    return Outcome(cells, ended, seconds), copy


class _Manager(AsyncKernelManager):
    """Starts kernels through the forking provisioner, on Unix sockets in a folder."""

    def __init__(self, sockets: Path, plan: Plan, **kwargs: Any) -> None:
        # The connection file comes first: the sockets' names are derived from it.
        super().__init__(connection_file=str(sockets / "k.json"), transport="ipc", **kwargs)
        self._provisioner_config = {
            "modules": list(plan.modules),
            "variables": dict(plan.import_variables),
        }

    @property
    def kernel_spec(self) -> KernelSpec | None:
        """The specification by name, with our provisioner in it."""
        spec = super().kernel_spec
        if spec is not None:
            spec.metadata["kernel_provisioner"] = {
                "provisioner_name": provisioner.NAME,
                "config": self._provisioner_config,
            }
        return spec


class _Client(NotebookClient):
    """Executes what is to be executed, within limits of CPU time, and counts seconds."""

    def __init__(
        self, notebook: NotebookNode, sockets: Path, plan: Plan, skipped: frozenset[int]
    ) -> None:
        options = dict(plan.options)
        self._limit = options.pop("timeout", None)
        self._limit_error = options.pop("error_on_timeout", None) or {"ename": "CellTimeoutError"}
        super().__init__(notebook, timeout=None, **options)
        self._sockets, self._plan, self._skipped = sockets, plan, skipped
        self.seconds = self.cpu = 0.0
        self.ended = ""
        self.on_cell_executed = _add_missing_error
        self._finished: set[int] = set()
        self._out_of_time = False

    async def run(self, folder: Path) -> None:
        """Start a kernel, execute the cells, end the kernel."""
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, **self._plan.variables}
        await self.async_execute(cwd=str(folder), env=environment, **silent)

    def create_kernel_manager(self) -> AsyncKernelManager:
        """A manager for the kernel that the options or the notebook name."""
        self.kernel_name = self.kernel_name or self.nb.metadata.get("kernelspec", {}).get(
            "name", "python3"
        )
        self.km = _Manager(self._sockets, self._plan, kernel_name=self.kernel_name)
        return self.km

    async def async_execute_cell(
        self, cell: NotebookNode, cell_index: int, **kwargs: Any
    ) -> NotebookNode:
        """Execute a cell unless it is to be skipped; end it at its limit."""
        if cell_index in self._skipped:
            return cell
        if not cell.source.strip():
            self._finished.add(cell_index)
        started = time.perf_counter()
        self._out_of_time = False
        guard = asyncio.create_task(self._guard())
        try:
            executed = await super().async_execute_cell(cell, cell_index, **kwargs)
            self._finished.add(cell_index)
            return executed
        finally:
            guard.cancel()
            self.seconds += time.perf_counter() - started
            self.cpu = max(self.cpu, cpu_seconds(self.km.provisioner.pid))
            if self._out_of_time:
                error = {"ename": "CellTimeoutError", "evalue": "", "traceback": []}
                cell.outputs.append(new_output("error", **error | self._limit_error))

    def mark_unfinished(self, reason: str) -> None:
        """Leave an error in every cell that the kernel's end cut off, so that none passes."""
        for position, cell in enumerate(self.nb.cells):
            if cell.cell_type == "code" and position not in self._finished | self._skipped:
                cell.outputs.append(
                    new_output(
                        "error", ename=ENDED, evalue=reason, traceback=[f"{ENDED}: {reason}"]
                    )
                )

    async def _guard(self) -> None:
        """Interrupt the cell when it has used its time up, and kill a kernel that does not obey."""
        if not self._limit or self._limit < 0:
            return
        pid = self.km.provisioner.pid
        wall, cpu = time.monotonic(), cpu_seconds(pid)
        while (
            time.monotonic() - wall < WALL_FACTOR * self._limit
            and cpu_seconds(pid) - cpu < self._limit
        ):
            await asyncio.sleep(min(1.0, self._limit / 10))
        self._out_of_time = True
        await self.km.interrupt_kernel()
        await asyncio.sleep(GRACE)
        self.ended = "the kernel was killed: a cell went on when its time was up"
        await self.km.provisioner.kill()


def _add_missing_error(cell: NotebookNode, cell_index: int, execute_reply: dict[str, Any]) -> None:
    """Show an error of which the kernel speaks in its reply alone: a cell may hide the other."""
    reply = execute_reply["content"]
    if reply["status"] == "error" and not any(
        output.output_type == "error" and output.ename == reply["ename"] for output in cell.outputs
    ):
        trace = reply["traceback"] or [f"{reply['ename']}, shown by nothing that the cell left."]
        error = {"ename": reply["ename"], "evalue": reply["evalue"], "traceback": trace}
        cell.outputs.append(new_output("error", **error))


def cpu_seconds(pid: int) -> float:
    """What a process has used so far, with what it started and what that started."""
    total = 0.0
    waiting = [pid]
    while waiting:
        process = Path(f"/proc/{waiting.pop()}")
        try:
            total += sum(psutil.Process(int(process.name)).cpu_times()[:4])
            for children in process.glob("task/*/children"):
                waiting += map(int, children.read_text().split())
        except (psutil.Error, OSError):
            continue  # it has ended
    return total


def _misses_names(executed: NotebookNode, skipped: Iterable[int]) -> bool:
    """Whether a cell asked for something that a skipped one would have defined."""
    asked = set()
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error" and output.ename == "NameError":
                asked |= set(re.findall(r"name '(\w+)' is not defined", output.evalue))
    return bool(asked) and any(asked & defined_names(executed.cells[n].source) for n in skipped)
