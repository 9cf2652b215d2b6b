"""The grader's end of the process that forks kernels."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.kernels import forkserver

_SCRIPT = Path(forkserver.__file__)

# Libraries for linear algebra start a thread for each core when they are imported.
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class CannotFork(Exception):
    """Kernels cannot be forked here; the message says why."""


class ForkedProcess:
    """A forked kernel, with the part of ``subprocess.Popen`` that jupyter_client uses.

    Args:
        server: the process that forked it.
        pid: as that process sees it.
    """

    stdin = stdout = stderr = None

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._server = server
        self._ended = threading.Event()

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
        self._server.send_signal(self.pid, number)

    def kill(self) -> None:
        """End it, whatever it does."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def _exited(self, code: int) -> None:
        self.returncode = code
        self._ended.set()


class ForkServer:
    """A process that has imported modules and forks kernels. May be used from several threads.

    Args:
        modules: to import first, in order.
        environment: variables to set for their import.

    Raises:
        CannotFork: where there are no forks to rely on.
    """

    def __init__(self, modules: Sequence[str], environment: Mapping[str, str]) -> None:
        if not sys.platform.startswith("linux"):
            raise CannotFork(f"forked kernels need Linux, and this is {sys.platform}")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - close() does
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(_SCRIPT), str(theirs.fileno()), json.dumps(modules)],
                pass_fds=[theirs.fileno()],
                env={**os.environ, **_ONE_THREAD, **environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                start_new_session=True,  # Ctrl-C is for the grader
            )
        self._numbers = itertools.count()
        self._ready: Future[Mapping[str, str]] = Future()
        self._replies: dict[int, Future[dict[str, Any]]] = {}
        self._kernels: dict[int, ForkedProcess] = {}
        self._listener = threading.Thread(target=self._listen, daemon=True, name="forkserver")
        self._listener.start()
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
            CannotFork: when the process is not fit to be forked, or is gone.
        """
        return self._ready.result()

    def fork(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: str | None,
        stdout: int,
        stderr: int,
    ) -> ForkedProcess:
        """Fork a kernel.

        Args:
            arguments: of ``ipykernel_launcher``.
            environment: all of it.
            folder: the working directory.
            stdout, stderr: descriptors.

        Raises:
            CannotFork: when the process is not fit to be forked, or is gone.
        """
        self.wait_until_ready()
        task = {"arguments": arguments, "environment": dict(environment), "folder": folder}
        reply = self._ask({"fork": task}, (stdout, stderr))
        if "error" in reply:
            raise CannotFork(reply["error"])
        return reply["process"]

    def send_signal(self, pid: int, number: int) -> None:
        """Send a signal to a kernel's process group, if the kernel is still there."""
        with suppress(CannotFork):  # where the process is gone, its kernels are too
            self._ask({"signal": [pid, int(number)]})

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
        """The error when the process has ended, with its last words."""
        code = self._process.wait()
        self._complaints.seek(0)
        words = self._complaints.read().decode(errors="replace").strip().splitlines()
        last = f": {words[-1]}" if words else ""
        return CannotFork(f"the process that forks kernels ended with code {code}{last}")

    def _listen(self) -> None:
        """Hand out what the process says."""
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
            elif "unfit" in message:
                self._ready.set_exception(CannotFork(message["unfit"]))
            elif "exited" in message:
                pid, code = message["exited"]
                self._kernels.pop(pid)._exited(code)
            else:
                if "pid" in message:
                    process = message["process"] = ForkedProcess(self, message["pid"])
                    self._kernels[process.pid] = process
                self._replies.pop(message["request"]).set_result(message)
        self._end()

    def _end(self) -> None:
        """Nobody waits for a process that is gone."""
        error = self._gone()
        for waiting in (self._ready, *self._replies.values()):
            if not waiting.done():
                waiting.set_exception(error)
        for kernel in list(self._kernels.values()):
            kernel._exited(-signal.SIGKILL)


_shared: dict[tuple, ForkServer] = {}
_sharing = threading.Lock()


def shared(modules: Sequence[str], environment: Mapping[str, str]) -> ForkServer:
    """This process's server for these modules, started at the first call."""
    key = (tuple(modules), tuple(sorted(environment.items())))
    with _sharing:
        server = _shared.get(key)
        if server is None or server._process.poll() is not None:
            server = _shared[key] = ForkServer(modules, environment)
        return server


def close_all() -> None:
    """End all shared servers and their kernels."""
    with _sharing:
        while _shared:
            _shared.popitem()[1].close()
