"""The grader's end of the process that forks kernels."""

from __future__ import annotations

import array
import atexit
import functools
import itertools
import json
import logging
import os
import resource
import select
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.kernels import forkserver, sandbox

_SCRIPT = Path(forkserver.__file__)

_LOG = logging.getLogger(__name__)

_STARTS_WITHIN = 60
"""Seconds in which a kernel creates its sockets, even on a busy machine."""

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {
    "JE_ARROW_MALLOC_CONF": "background_thread:false"
}
"""Environment variables that libraries read when they are imported. Linear algebra would start a
thread per core, and these would wait for one another in busy loops; pyarrow's allocator would start
a background thread, and a process with threads can't be forked safely."""

_LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Has the C library ask for large pages: fewer are copied and freed for every kernel. Where the
system has none, it changes nothing."""


# A process, its user and its group.
_CREDENTIALS = struct.Struct("3i")


class CannotFork(Exception):
    """Kernels can't be forked here; the message says why."""


class ForkedProcess:
    """A forked kernel, with the part of ``subprocess.Popen`` that jupyter_client uses.

    Args:
        channel: the socket to its guardian, on which the system identifies the sender.

    Attributes:
        guardian: process id of the guardian, the root of all processes that the kernel starts.
        pid: the kernel's process id.
        returncode: the exit code, negative for a signal; None while it runs.
        folder: in a sandbox, a descriptor of its working folder, which outlives the kernel until
            it's closed; then None.
        connection: likewise, for the folder of its connection file and sockets.
        sockets: likewise, for its sockets, by the part of their names after the dash.

    Raises:
        CannotFork: when it got no sandbox.
    """

    stdin = stdout = stderr = None

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._ended = threading.Event()
        self.returncode: int | None = None
        self.folder: int | None = None
        self.connection: int | None = None
        self.sockets: dict[str, int] = {}
        self.pid = 0
        self.guardian, descriptors = self._listen_for("guardian")
        if descriptors:
            self.folder, self.connection = descriptors

    def start(self) -> None:
        """Start the kernel; its folders must contain what it needs."""
        self._channel.send(b"go")
        self.pid, _ = self._listen_for("kernel")
        threading.Thread(target=self._wait_for_end, daemon=True, name="kernel's end").start()

    def hold_sockets(self, name: str, ports: Iterable[str]) -> None:
        """Wait until the kernel has created its sockets, and keep them open.

        A student's code could replace a socket with a link, which a connection by name would
        follow. If the kernel ends or takes too long, some are missing.

        Args:
            name: the part of their names before the dash, in the folder for the connection.
            ports: the parts after it.
        """
        missing, deadline = set(ports), time.monotonic() + _STARTS_WITHIN
        while missing and self.returncode is None and time.monotonic() < deadline:
            for port in tuple(missing):
                with suppress(FileNotFoundError):
                    flags = os.O_PATH | os.O_NOFOLLOW
                    found = os.open(f"{name}-{port}", flags, dir_fd=self.connection)
                    if stat.S_ISSOCK(os.fstat(found).st_mode):
                        self.sockets[port] = found
                        missing.discard(port)
                    else:
                        os.close(found)
            time.sleep(0.01)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the end; return the exit code."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired(["kernel"], timeout or 0.0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to the kernel and to what it started, if it is still there."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                if number == signal.SIGKILL and self.folder is not None:
                    os.kill(self.guardian, number)  # the first process of its namespace
                else:
                    os.killpg(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to exit."""
        self.send_signal(signal.SIGTERM)

    def close(self) -> None:
        """Release its folders, and the kernel itself if it hasn't been started."""
        if not self.pid:
            self._channel.close()
        for descriptor in (self.folder, self.connection, *self.sockets.values()):
            if descriptor is not None:
                os.close(descriptor)
        self.folder = self.connection = None
        self.sockets = {}

    def _listen_for(self, word: str) -> tuple[int, list[int]]:
        """Wait for a message; return who sent it, and the descriptors that came with it."""
        packet, ancillary, _, _ = self._channel.recvmsg(forkserver.LARGEST_PACKET, 256)
        message = json.loads(packet or b"{}")
        if word not in message:
            self._channel.close()
            raise CannotFork(message.get("failed", "a kernel ended before it started"))
        sender, descriptors = 0, array.array("i")
        for _, kind, data in ancillary:
            if kind == socket.SCM_RIGHTS:
                descriptors.frombytes(data)
            elif kind == socket.SCM_CREDENTIALS:
                sender, _, _ = _CREDENTIALS.unpack(data)
        return sender, list(descriptors)

    def _wait_for_end(self) -> None:
        try:
            message = json.loads(self._channel.recv(forkserver.LARGEST_PACKET) or b"{}")
        except OSError:
            message = {}
        # If the guardian has ended, so has everything that it guarded.
        with suppress(OSError):
            guardian = os.pidfd_open(self.guardian)
            waiting = select.poll()
            waiting.register(guardian, select.POLLIN)
            waiting.poll()
            os.close(guardian)
        self._channel.close()
        self.returncode = message.get("ended", -signal.SIGKILL)
        self._ended.set()


class ForkServer:
    """A process that has imported modules and forks kernels. May be used from several threads.

    Args:
        modules: modules to import first, in order.
        environment: environment variables for their import.
        view: what is visible in the sandbox, or None to run without one.

    Raises:
        CannotFork: when the system has no reliable fork.
        autograder.kernels.sandbox.SandboxError: when there can be no sandbox.
    """

    def __init__(
        self,
        modules: Sequence[str],
        environment: Mapping[str, str],
        view: sandbox.View | None = None,
    ) -> None:
        if not sys.platform.startswith("linux"):
            raise CannotFork(f"forked kernels need Linux, and this is {sys.platform}")
        _allow_open_files()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - close() does
        variables = {**ONE_THREAD, **_LARGE_PAGES, **environment}
        with theirs:
            arguments = [str(theirs.fileno()), json.dumps([view is not None, modules])]
            if view is None:
                command = [sys.executable, "-P", str(_SCRIPT), *arguments]
            else:
                command = sandbox.command(arguments, view, variables)
            start = functools.partial(
                subprocess.Popen,
                command,
                pass_fds=[theirs.fileno()],
                env={**os.environ, **variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                start_new_session=True,  # Ctrl-C is for the grader
            )
            self._numbers = itertools.count()
            self._ready: Future[Mapping[str, str]] = Future()
            self._replies: dict[int, Future[dict[str, Any]]] = {}
            started: Future[None] = Future()
            self._listener = threading.Thread(
                target=self._listen, args=(start, started), daemon=True, name="forkserver"
            )
            self._listener.start()
            started.result()
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The forking process."""
        return self._process.pid

    def wait_until_ready(self) -> Mapping[str, str]:
        """Wait for the imports.

        Returns:
            The modules that could not be imported, with the reason. Kernels will try again.

        Raises:
            CannotFork: when the process can't be forked safely, or has ended.
        """
        return self._ready.result()

    def fork(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: str | None,
        stdout: int,
        stderr: int,
        limits: sandbox.Limits | None = None,
    ) -> ForkedProcess:
        """Fork a kernel, which then waits to be started.

        Args:
            arguments: the arguments of ``ipykernel_launcher``.
            environment: the complete environment.
            folder: the working directory, as the process sees it.
            stdout, stderr: descriptors.
            limits: the kernel's limits in a sandbox; None outside of one.

        Raises:
            CannotFork: when the process can't be forked safely, or has ended.
        """
        self.wait_until_ready()
        task = {
            "arguments": arguments,
            "environment": dict(environment),
            "folder": folder,
            "sandbox": limits and asdict(limits),
        }
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        with theirs:
            reply = self._ask({"fork": task}, (stdout, stderr, theirs.fileno()))
        if "error" in reply:
            ours.close()
            raise CannotFork(reply["error"])
        return ForkedProcess(ours)

    def close(self) -> None:
        """End the process and all its kernels."""
        atexit.unregister(self.close)
        with suppress(OSError):  # it may have ended
            self._socket.shutdown(socket.SHUT_RDWR)
        self._process.wait()
        self._listener.join()
        self._socket.close()
        self._complaints.close()

    def _ask(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> dict[str, Any]:
        number = next(self._numbers)
        reply = self._replies[number] = Future()
        packet = json.dumps({"request": number, **message}).encode()
        if len(packet) > forkserver.LARGEST_PACKET:
            raise CannotFork(f"arguments and environment take {len(packet):,} bytes")
        try:
            socket.send_fds(self._socket, [packet], descriptors)
        except OSError:
            raise self._gone() from None
        return reply.result()

    def _gone(self) -> CannotFork:
        """The error for an ended process, with the last line of its output."""
        code = self._process.wait()
        self._complaints.seek(0)
        words = self._complaints.read().decode(errors="replace").strip().splitlines()
        last = f": {words[-1]}" if words else ""
        return CannotFork(f"the process that forks kernels ended with code {code}{last}")

    def _listen(self, start: Callable[[], subprocess.Popen], started: Future[None]) -> None:
        """Start the process, and dispatch its messages."""
        # Start it in this thread, because bubblewrap ends with the thread that started it.
        try:
            self._process = start()
        except OSError as error:
            started.set_exception(error)
            return
        started.set_result(None)
        while True:
            try:
                packet = self._socket.recv(forkserver.LARGEST_PACKET)
            except OSError:
                packet = b""
            if not packet:
                break
            message = json.loads(packet)
            if "ready" in message:
                self._ready.set_result(message["ready"]["failed"])
            elif "left_out" in message:
                _LOG.warning(
                    "Importing %s starts threads, so each kernel imports it itself, which takes "
                    "longer.",
                    message["left_out"],
                )
            elif "unfit" in message:
                self._ready.set_exception(CannotFork(message["unfit"]))
            else:
                self._replies.pop(message["request"]).set_result(message)
        self._end()

    def _end(self) -> None:
        """Fail everything that waits for a process that has ended."""
        error = self._gone()
        futures: tuple[Future[Any], ...] = (self._ready, *self._replies.values())
        for waiting in futures:
            if not waiting.done():
                waiting.set_exception(error)


def _allow_open_files() -> None:
    """Raise this process's limit of open files above that of a kernel.

    Descriptors in transit through sockets are counted for all processes of an account together,
    and a process can't send one if there are more than its own limit of open files: otherwise, one
    kernel could stop the grader from starting others.
    """
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now != resource.RLIM_INFINITY:
        enough = 4 * forkserver.PROCESS_OPEN_FILES
        if most != resource.RLIM_INFINITY:
            enough = min(enough, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, enough), most))


_shared: dict[tuple, ForkServer] = {}
_sharing = threading.Lock()


def shared(
    modules: Sequence[str],
    environment: Mapping[str, str],
    view: sandbox.View | None = None,
) -> ForkServer:
    """This process's shared server for these arguments of ``ForkServer``, started on first use."""
    key = (tuple(modules), tuple(sorted(environment.items())), view)
    with _sharing:
        server = _shared.get(key)
        if server is None or server._process.poll() is not None:
            server = _shared[key] = ForkServer(modules, environment, view)
        return server


def close_all() -> None:
    """End all shared servers and their kernels."""
    with _sharing:
        while _shared:
            _shared.popitem()[1].close()
