"""The process that forks kernels: it imports modules once, then gives a copy of itself on request.

A script for a process of its own, started by ``autograder.kernels.client``. It uses the standard
library and ipykernel alone, so that it also runs where ``autograder`` is out of sight.

On the socket whose descriptor is its first argument it exchanges JSON messages, one a packet. It
says ``{"ready": ...}`` or ``{"unfit": ...}`` when the modules are imported. It answers a request
``{"request": n, "fork": {...}}``, which comes with descriptors for standard output and error, and
a request ``{"request": n, "signal": [pid, number]}``, and reports ``{"exited": [pid, code]}``. When
the other end is closed, all kernels end.

The process must stay one that can be forked safely: it runs no operation of an imported package,
starts no thread, no event loop and no ZeroMQ context. Between it and each kernel stands a guardian,
which adopts what the kernel leaves behind (it is a "subreaper") and ends with it, so that nothing a
kernel started outlives the kernel.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import random
import resource
import selectors
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

LARGEST_PACKET = 1 << 18

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36

# What a kernel imports while it starts and runs its first cells.
_KERNEL_MODULES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.zmqshell",
    "IPython.core.completer",
    "jupyter_client.session",
)


def preload(names: list[str]) -> dict[str, str]:
    """Import modules, and what ``module:name`` means; return what could not be imported, and why.

    Kernels will try the latter again.
    """
    failed = {}
    for name in (*_KERNEL_MODULES, *names):
        path, _, attribute = name.partition(":")
        try:
            module = importlib.import_module(path)
            if attribute and attribute != "*" and not hasattr(module, attribute):
                importlib.import_module(f"{path}.{attribute}")
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
    if "matplotlib" in sys.modules:
        importlib.import_module("matplotlib_inline.backend_inline")
    return failed


def threads() -> int:
    """How many threads this process has, those of C libraries included."""
    return len(list(Path("/proc/self/task").iterdir()))


class Server:
    """Serves requests in the parent; ``serve`` returns a request in a forked child.

    Args:
        control: the socket to the process that asks for kernels.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._kernels: dict[int, int] = {}  # by their guardians
        self._wake, self._woken = os.pipe()
        for descriptor in (self._wake, self._woken):
            os.set_blocking(descriptor, False)

    def serve(self) -> dict[str, Any] | None:
        """Answer requests until the socket is closed.

        Returns:
            None in the parent when all is over; in a child, the request that asked for it.
        """
        signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._wake in ready:
                    os.read(self._wake, 4096)
                    self._reap()
                if self._control in ready:
                    packet, descriptors, _, _ = socket.recv_fds(self._control, LARGEST_PACKET, 8)
                    if not packet:
                        break
                    request = json.loads(packet)
                    if "signal" in request:
                        self._signal(request)
                    elif self._fork(request, descriptors):
                        return request["fork"]
        end_children()
        return None

    def _say(self, message: dict[str, Any]) -> None:
        try:
            self._control.send(json.dumps(message).encode())
        except OSError:
            end_children()
            os._exit(1)

    def _fork(self, request: dict[str, Any], descriptors: list[int]) -> bool:
        """Fork a guardian, which forks the kernel; return whether this is the kernel."""
        told, tell = os.pipe()
        try:
            guardian = os.fork()
        except OSError as error:
            self._say({"request": request["request"], "error": str(error)})
        else:
            if guardian == 0:
                self._become_child(descriptors, tell)
                guard(tell)
                return True
            os.close(tell)
            tell = -1
            pid = int(os.read(told, 32) or 0)
            if pid:
                self._kernels[guardian] = pid
                self._say({"request": request["request"], "pid": pid})
            else:
                self._say({"request": request["request"], "error": "no second process"})
        for descriptor in (told, tell, *descriptors):
            if descriptor >= 0:
                os.close(descriptor)
        return False

    def _become_child(self, descriptors: list[int], tell: int) -> None:
        """Give up what belongs to the parent; keep the standard streams and one descriptor."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for target, source in zip((1, 2), descriptors, strict=True):
            os.dup2(source, target)
        self._control.detach()
        os.closerange(3, tell)
        os.closerange(tell + 1, os.sysconf("SC_OPEN_MAX"))

    def _signal(self, request: dict[str, Any]) -> None:
        """Send a signal to a kernel's process group, if the kernel is still there."""
        pid, number = request["signal"]
        if pid in self._kernels.values():
            with suppress(ProcessLookupError):
                os.killpg(pid, number)
        self._say({"request": request["request"]})

    def _reap(self) -> None:
        """Report kernels that ended; end what a guardian could not."""
        while True:
            try:
                guardian, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if guardian == 0:
                break
            if guardian in self._kernels:
                pid = self._kernels.pop(guardian)
                self._say({"exited": [pid, os.waitstatus_to_exitcode(status)]})
        # Killing an orphan may bring its children, whose turn is at the next SIGCHLD.
        for pid in children() - set(self._kernels):
            os.kill(pid, signal.SIGKILL)


def guard(tell: int) -> None:
    """Fork, and return in the child, in a session of its own. The parent stays until it ends.

    The parent then ends all that is left of the child's descendants, and itself as the child did.

    Args:
        tell: where the child writes its process id.
    """
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # Only now is there a process group to send signals to.
        os.write(tell, str(os.getpid()).encode())
        os.close(tell)
        return
    os.closerange(0, tell + 1)
    ended = None
    while ended != child:
        ended, status = os.waitpid(-1, 0)
    end_children()
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):  # SIGKILL has no handler to reset
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def end_children() -> None:
    """End all children, and theirs, until there are none."""
    while living := children():
        for pid in living:
            os.kill(pid, signal.SIGKILL)
        for pid in living:
            os.waitpid(pid, 0)


def children() -> set[int]:
    """The processes whose parent this one is."""
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")


def run_kernel(arguments: list[str], environment: dict[str, str], folder: str | None) -> None:
    """Be a kernel, as ``python -m ipykernel_launcher`` would be."""
    os.environ.clear()
    os.environ.update(environment)
    if folder is not None:
        os.chdir(folder)
    # Copies of one process must not draw the same numbers.
    random.seed()
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed()
    sys.argv = ["ipykernel_launcher", *arguments]
    from ipykernel.kernelapp import IPKernelApp

    app = IPKernelApp.instance()
    # The default was read from the environment when the class was defined. This one is for a parent
    # that never ends; the system sees to it that kernels do not outlive the forking process.
    app.initialize([*arguments, "--IPKernelApp.parent_handle=1"])
    app.start()
    # The interpreter's own end would touch, and so copy, every object that was imported before.
    atexit._run_exitfuncs()
    os._exit(0)


def main() -> None:
    """Preload, then serve or, in a child, be a kernel."""
    control = socket.socket(fileno=int(sys.argv[1]))
    failed = preload(json.loads(sys.argv[2]))
    count = threads()
    if count > 1:
        message: dict[str, Any] = {"unfit": f"importing them started {count - 1} threads"}
    else:
        message = {"ready": {"failed": failed}}
    control.send(json.dumps(message).encode())
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    # The collector would write to every object, and so copy every page for every kernel.
    gc.collect()
    gc.freeze()
    request = Server(control).serve()
    if request is not None:
        run_kernel(request["arguments"], request["environment"], request["folder"])


if __name__ == "__main__":
    main()
