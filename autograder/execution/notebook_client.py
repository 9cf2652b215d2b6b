"""Execute one notebook in its own kernel: the step that may run on any machine.

It needs neither gradebook nor nbgrader: a notebook and a folder go in, outputs come out.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard

import nbformat
import zmq
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.cells import defined_names, grade_id, graded_exercise, is_solution
from autograder.execution.job import Outcome, OutOfMemory, Plan
from autograder.execution.kernel_manager import LARGEST_MESSAGE, Manager
from autograder.execution.outputs import OutputQuota, execution_count
from autograder.execution.resource_usage import MAPPINGS, SESSIONS, WATCHES, processor_time, usage
from autograder.kernels import forkserver, provisioner, sandbox, transfer
from autograder.kernels.client import ForkedProcess
from selfcheck import responses

WALL_FACTOR = 4
"""Wall-clock limit of a cell that only sleeps, as a multiple of its CPU limit."""

ENDED = "KernelEnded"
"""The name of the error in cells that weren't completed because the kernel ended."""

ENDED_HERE = "KernelEndedHere"
"""The name of the error in a cell that ended a kernel; the others were executed without it."""

GRACE = 10.0
"""Seconds in which a kernel must obey an interrupt."""

KERNEL_OPEN_FILES = 4096
"""Maximum number of open files of a kernel and all that it starts: data in sockets and pipes isn't
in any process's memory."""

POLL_INTERVAL = 0.2
"""Seconds between checks of a kernel's resource usage."""

_FEW_PROCESSES = 7
"""A number of processes that can't have that many pieces, because Linux allows a process 65,530."""

_ENDS = 3
"""Maximum number of kernels that a notebook's cells may end before no other is started."""

_OBEYS_WITHIN = 0.3
"""Seconds: a kernel takes 0.1 until it begins to exit, and still executes requests until then."""

_ENDS_WITHIN = 25
"""Checks after which a kernel with a broken connection isn't just ending, on any busy machine."""

_OUTPUT_WITHIN = 30
"""Seconds after which the output of a finished cell is not just late: more than it takes to detect
a broken connection."""


def execute(notebook: NotebookNode, folder: Path, plan: Plan) -> Outcome:
    """Execute a notebook.

    A cell that ends its kernel doesn't affect others: everything is executed again without it, a
    few times and as long as there is time. After that, a kernel that dies ends the execution; the
    outputs so far are in the outcome.

    Args:
        notebook: the notebook, which isn't changed.
        folder: the kernel's working directory; a sandboxed kernel works on a copy, and the files
            that it leaves are copied back.
        plan: how to execute it.

    Raises:
        autograder.kernels.client.CannotFork: when there is no sandbox for the kernel.
        jupyter_client.kernelspec.NoSuchKernel: when the notebook's kernel isn't installed.
        RuntimeError: when the kernel does not start.
        OutOfMemory: when the system ran out of memory and ended the kernel.
    """
    deadline = time.monotonic() + plan.total
    without = _LeftOut(plan.skipped, {})
    while True:
        executed = _execute(notebook, folder, plan, without, deadline)
        if isinstance(executed, Outcome):
            return executed
        without = executed


@dataclass(frozen=True)
class _LeftOut:
    """The positions of cells that aren't executed.

    Args:
        skipped: cells that no other is expected to need.
        ends: cells that ended a kernel before, each with its outputs.
        slowly: whether to wait after each of the others: a kernel that exited by itself may have
            been told to by an earlier cell.
    """

    skipped: frozenset[int]
    ends: Mapping[int, list[NotebookNode]]
    slowly: bool = False

    @property
    def all(self) -> frozenset[int]:
        return self.skipped | self.ends.keys()


def _execute(
    notebook: NotebookNode, folder: Path, plan: Plan, without: _LeftOut, deadline: float
) -> Outcome | _LeftOut:
    """Execute all cells except those that are left out.

    Returns:
        What to leave out in a new attempt, if a cell needs a skipped one or ended the kernel, and
        there is time to execute everything again. Then the results of this execution are discarded:
        the next one starts with the submitted files.
    """
    copy = _as_executed(notebook, plan)
    code = {n: cell for n, cell in enumerate(copy.cells) if cell.cell_type == "code"}
    # Unix sockets' paths must be short, so this folder isn't inside another one.
    with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:
        client = _Client(copy, Path(sockets), plan, without, deadline)
        started = time.perf_counter()
        try:
            ended = _run_to_its_end(client, folder)
            left = deadline - time.monotonic()
            if _misses_names(copy, without.skipped) and left > 0:
                return replace(without, skipped=frozenset())
            # As far as here it takes as long again.
            may_repeat = len(without.ends) < _ENDS and left > time.perf_counter() - started
            if ended and client.left_unasked and may_repeat and not without.slowly:
                return replace(without, slowly=True)
            if ended and client.at is not None and may_repeat:
                left_behind = [*code[client.at].outputs, _error(ENDED_HERE, ended)]
                return replace(without, ends={**without.ends, client.at: left_behind})
            if _is_sandboxed(client.process):
                _kill_and_wait(client.process)
                assert client.process.folder is not None  # every sandboxed kernel has one
                transfer.copy_out(client.process.folder, folder, plan.limits.disk * 2**20)
        finally:
            if _is_sandboxed(client.process):
                _kill_and_wait(client.process)
                client.process.close()
        if ended:
            client.mark_unfinished(ended)
        for position, outputs in without.ends.items():
            code[position].outputs = outputs
            ended = ended or outputs[-1].evalue
    total = time.perf_counter() - started
    cells = {position: (cell.execution_count, cell.outputs) for position, cell in code.items()}
    seconds = {"start": total - client.seconds, "cells": client.seconds, "cpu": client.cpu}
    return Outcome(cells, ended, seconds)


_TIMEIT = re.compile(r"\A\s*%%timeit\b.*")


def _as_executed(notebook: NotebookNode, plan: Plan) -> NotebookNode:
    """A copy without outputs, in which judged answers use the judge's own functions."""
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        if cell.cell_type != "code":
            continue
        cell.execution_count, cell.outputs = None, []
        if plan.afresh and graded_exercise(cell):
            cell.source = f"{plan.afresh}\n{cell.source}"
        elif plan.afresh and is_solution(cell):
            # What is timed defines nothing.
            cell.source = _TIMEIT.sub("", cell.source)
    return copy


def _run_to_its_end(client: _Client, folder: Path) -> str:
    """Execute the cells; return why the kernel didn't reach the last one, or ""."""
    killed = _killed_for_memory()
    try:
        _run(client.run(folder))
    except DeadKernelError:
        if not client.ended and _killed_for_memory() > killed:
            raise OutOfMemory("the system ran out of memory and ended a kernel") from None
        return client.ended or _how_it_died(client.process)
    except CellTimeoutError:
        return client.ended or "the kernel was ended: a cell's output didn't end"
    except _UNREADABLE as error:
        if client.process is None:
            raise
        kind = type(error).__name__
        return f"the kernel was ended: it sent something that isn't a message ({kind})"
    return ""


def _run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run to completion, in a separate thread if this one has a running event loop: the formgrader
    grades inside its server's loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(coroutine)
    else:
        with ThreadPoolExecutor(1) as threads:
            threads.submit(asyncio.run, coroutine).result()


# Exceptions from reading a malformed message.
_UNREADABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, RecursionError),
    nbformat.ValidationError,
)


def _killed_for_memory() -> int:
    """The number of processes that the system has killed because it ran out of memory."""
    with suppress(OSError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


def _how_it_died(process: Any) -> str:
    """Why a kernel ended that wasn't killed from here, in words."""
    code = process.poll() if process is not None else None
    if code is not None and code < 0:
        return f"the kernel died: {signal.strsignal(-code)}"
    return "the kernel died" if code is None else f"the kernel ended itself, with code {code}"


def _is_sandboxed(process: object) -> TypeGuard[ForkedProcess]:
    return isinstance(process, ForkedProcess) and process.folder is not None


def _kill_and_wait(process: ForkedProcess) -> None:
    process.kill()
    process.wait()


class _Client(NotebookClient):
    """Executes cells within limits of CPU time, and measures the time."""

    def __init__(
        self,
        notebook: NotebookNode,
        sockets: Path,
        plan: Plan,
        without: _LeftOut,
        deadline: float,
    ) -> None:
        options = dict(plan.options)
        self._limit = options.pop("timeout", None)
        self._limit_error = options.pop("error_on_timeout", None) or {"ename": "CellTimeoutError"}
        options["iopub_timeout"] = max(_OUTPUT_WITHIN, options.get("iopub_timeout", 0))
        super().__init__(notebook, timeout=None, **options)
        self._sockets, self._plan = sockets, plan
        self._skipped, self._slowly = without.all, without.slowly
        self._deadline = deadline
        self.seconds = self.cpu = self._watched_cpu = 0.0
        self.ended = ""
        self.process: ForkedProcess | subprocess.Popen | None = None
        self._received, self._room = 0, OutputQuota()
        self.on_cell_executed = self._read_reply
        self._finished: set[int] = set()
        self.at: int | None = None
        self._leaves = False
        self._out_of_time = False

    async def run(self, folder: Path) -> None:
        """Start a kernel, execute the cells, end the kernel."""
        variables = dict(self._plan.variables)
        if self._plan.inputs:
            inputs = self._sockets / provisioner.INPUTS
            inputs.write_bytes(base64.b64decode(self._plan.inputs))
            if self._plan.sandboxed:
                inputs = Path(forkserver.CONNECTION) / inputs.name
            variables[responses.INPUTS_VARIABLE] = str(inputs)
        if self._plan.sandboxed:
            environment = sandbox.environment(variables)
        else:
            environment = {**os.environ, **variables}
        self._tasks = [asyncio.create_task(self._watch())]
        try:
            silent = subprocess.DEVNULL
            await self.async_execute(cwd=str(folder), env=environment, stdout=silent, stderr=silent)
        finally:
            for task in self._tasks:
                task.cancel()
            self._manager.incoming.destroy(linger=0)

    def create_kernel_manager(self) -> Manager:
        """A manager for the kernel that the options or the notebook name."""
        self.kernel_name = self.kernel_name or self.nb.metadata.get("kernelspec", {}).get(
            "name", "python3"
        )
        self.km = self._manager = Manager(self._sockets, self._plan, kernel_name=self.kernel_name)
        return self._manager

    async def async_start_new_kernel(self, **kwargs: Any) -> None:
        """Start the kernel, and keep a reference to its process after nbclient drops it."""
        await super().async_start_new_kernel(**kwargs)
        forking = self._manager.provisioner
        # The manager's kernel specification names no other.
        assert isinstance(forking, provisioner.ForkingProvisioner)
        self.process = forking.process

    async def async_start_new_kernel_client(self) -> AsyncKernelClient:
        """Connect to the kernel, and detect broken connections."""
        connected = await super().async_start_new_kernel_client()
        assert isinstance(connected, AsyncKernelClient)  # the manager makes no others
        self._connected = connected
        for channel in (connected.iopub_channel, connected.shell_channel):
            monitor = channel.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
            self._tasks.append(asyncio.create_task(self._hear_break(monitor)))
        return connected

    def process_message(self, msg: Any, cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        """Process a message, unless there were too many."""
        self._received += _size(msg["content"])
        if self._received > self._plan.limits.output * 2**20:
            self._kill(f"a cell sent more than {self._plan.limits.output} MB of output")
            return None
        try:
            return super().process_message(msg, cell, cell_index)
        except _UNREADABLE:
            return None  # as if it had not been sent

    async def async_execute_cell(
        self,
        cell: NotebookNode,
        cell_index: int,
        execution_count: int | None = None,
        store_history: bool = True,
    ) -> NotebookNode:
        """Execute a cell unless it's skipped; stop it at its limit."""
        if cell_index in self._skipped or cell.cell_type != "code":
            return cell
        if not cell.source.strip():
            self._finished.add(cell_index)
        elif self._leaves or (self._slowly and not await self._stays()):
            await self._see_it_leave()
        else:
            self.at = cell_index
        started = time.perf_counter()
        self._out_of_time = False
        self._received = 0
        guard = asyncio.create_task(self._guard())
        try:
            executed = await super().async_execute_cell(
                cell, cell_index, execution_count, store_history
            )
            self._finished.add(cell_index)
            return executed
        finally:
            guard.cancel()
            self.seconds += time.perf_counter() - started
            self.cpu = max(self.cpu, processor_time(self._root))
            if self._out_of_time:
                error = {"ename": "CellTimeoutError", "evalue": "", "traceback": []}
                cell.outputs.append(new_output("error", **error | self._limit_error))
            self._clean(cell)

    @property
    def left_unasked(self) -> bool:
        """Whether the kernel exited normally without announcing it in a reply."""
        return not (self.ended or self._leaves) and getattr(self.process, "returncode", None) == 0

    async def _stays(self) -> bool:
        """Whether the kernel still answers after the time in which it would begin to exit."""
        await asyncio.sleep(_OBEYS_WITHIN)
        with suppress(TimeoutError):
            return bool(await self._connected.kernel_info(reply=True, timeout=GRACE))
        return False

    async def _see_it_leave(self) -> None:
        """Wait for a kernel to obey ``exit()``: short cells could finish before."""
        until = time.monotonic() + GRACE
        while self._kernel.poll() is None and time.monotonic() < until:
            await asyncio.sleep(0.05)

    def _clean(self, cell: NotebookNode) -> None:
        """Keep as much of a finished cell's output as fits; no later cell adds to it."""
        self._display_id_map = {}
        if cell.cell_type == "code":
            cell.execution_count = execution_count(cell.execution_count)
            cell.outputs = self._room.clean(cell.outputs, named=grade_id(cell) is not None)

    def _read_reply(
        self, cell: NotebookNode, cell_index: int, execute_reply: dict[str, Any]
    ) -> None:
        """Read a kernel's reply, which also says whether it will obey ``exit()`` after the cell."""
        payload = execute_reply["content"].get("payload", [])
        self._leaves = self._leaves or any(
            part.get("source") == "ask_exit" and not part.get("keepkernel") for part in payload
        )
        _add_missing_error(cell, execute_reply)

    def handle_comm_msg(self, *message: Any) -> None:
        """Ignore widgets' state: nobody looks at it, and it would add up."""

    def mark_unfinished(self, reason: str) -> None:
        """Add an error to every cell that the kernel's end interrupted, so that none passes."""
        for position, cell in enumerate(self.nb.cells):
            if cell.cell_type == "code" and position not in self._finished | self._skipped:
                cell.outputs.append(_error(ENDED, reason))

    async def _guard(self) -> None:
        """Interrupt the cell when its time is up, and kill a kernel that doesn't obey."""
        if not self._limit or self._limit < 0:
            return
        wall, cpu = time.monotonic(), self.cpu
        while (
            time.monotonic() - wall < WALL_FACTOR * self._limit
            and self._watched_cpu - cpu < self._limit
        ):
            await asyncio.sleep(min(1.0, self._limit / 10))
        self._out_of_time = True
        await self._manager.interrupt_kernel()
        await asyncio.sleep(GRACE)
        self._kill("a cell kept running after its time was up")

    async def _watch(self) -> None:
        """Kill a kernel that exceeds its limits."""
        limits = self._plan.limits
        while True:
            await asyncio.sleep(POLL_INTERVAL)
            if self.process is None or self.ended:
                continue
            if time.monotonic() > self._deadline:
                self._kill(f"all cells together took more than {self._plan.total:,.0f} seconds")
                continue
            used = usage(self._root)
            self._watched_cpu = used.cpu
            if used.processes > limits.processes:
                self._kill(f"it ran more than {limits.processes} processes and threads")
            elif used.sessions > SESSIONS:
                self._kill(f"its processes were in more than {SESSIONS} sessions")
            elif used.files > KERNEL_OPEN_FILES:
                self._kill(f"it had more than {KERNEL_OPEN_FILES:,} files open")
            elif used.watches > WATCHES:
                self._kill(f"it watched files more than {WATCHES:,} times")
            elif used.unseen:
                self._kill("it ran a program that cannot be watched")
            # The first number is quick to read, but counts shared memory for each kernel.
            elif (
                used.resident + used.hidden > limits.memory * 2**20
                and used.proportional() + used.hidden > limits.memory * 2**20
            ):
                self._kill(f"it used more than {limits.memory} MB of memory")
            elif len(used.living) > _FEW_PROCESSES and used.mappings() > MAPPINGS:
                self._kill(f"its memory was in more than {MAPPINGS:,} pieces")

    async def _hear_break(self, monitor: zmq.asyncio.Socket) -> None:
        """Kill a kernel whose connection broke: it sent a message that was too large."""
        await monitor.recv_multipart()
        for _ in range(_ENDS_WITHIN):  # or it is just ending
            await asyncio.sleep(POLL_INTERVAL)
            if self._kernel.poll() is not None:
                return
        self._kill(f"it sent more than {LARGEST_MESSAGE // 2**20} MB of output at once")

    def _kill(self, reason: str) -> None:
        if not self.ended:
            self.ended = f"the kernel was killed: {reason}"
            self._kernel.kill()

    @property
    def _kernel(self) -> ForkedProcess | subprocess.Popen:
        """The process, for what happens only to a kernel that has been started."""
        assert self.process is not None
        return self.process

    @property
    def _root(self) -> int:
        """The root of the process tree with everything that the kernel starts."""
        kernel = self._kernel
        return kernel.guardian if isinstance(kernel, ForkedProcess) else kernel.pid


def _error(name: str, reason: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=reason, traceback=[f"{name}: {reason}"])


def _add_missing_error(cell: NotebookNode, execute_reply: dict[str, Any]) -> None:
    """Show an error that is only in the kernel's reply: a cell may hide the displayed one."""
    reply = execute_reply["content"]
    if reply["status"] == "error" and not any(
        output.output_type == "error" and output.ename == reply["ename"] for output in cell.outputs
    ):
        trace = reply["traceback"] or [f"{reply['ename']}, which the cell's outputs don't show."]
        error = {"ename": reply["ename"], "evalue": reply["evalue"], "traceback": trace}
        cell.outputs.append(new_output("error", **error))


def _size(content: Any) -> int:
    """The approximate size of a message in bytes."""
    total, waiting = 0, [content]
    while waiting:
        value = waiting.pop()
        total += 8
        if isinstance(value, str):
            total += len(value)
        elif isinstance(value, Mapping):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
    return total


def _misses_names(executed: NotebookNode, skipped: Iterable[int]) -> bool:
    """Whether a cell asked for something that a skipped one would have defined."""
    asked = set()
    for output in (each for cell in executed.cells for each in cell.get("outputs", [])):
        if output["output_type"] == "error" and output["ename"] == "NameError":
            asked |= missing_names(output["evalue"])
        # Inside an answer, it's caught and handed over as the answer's result.
        elif response := output.get("data", {}).get(responses.MIME):
            asked |= missing_names(json.dumps(response, ensure_ascii=False))
    return bool(asked) and any(asked & defined_names(executed.cells[n].source) for n in skipped)


def missing_names(text: str) -> set[str]:
    """The undefined names in a text's error messages."""
    return set(re.findall(r"name '(\w+)' is not defined", text))
