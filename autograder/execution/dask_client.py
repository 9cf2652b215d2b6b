"""Dask's client in a separate process, which unpickles nothing that would execute code.

``dask_executor`` starts it with a scheduler's address and the descriptor of a socket. There it
sends ``{"connected": true}``, then answers requests, lines of JSON, with
``{"request": n, "answer": ...}`` or ``{"request": n, "error": "..."}``. It sends
``{"stopped": "..."}`` before it ends.

A pickle has to name whatever it executes. Python calls audit hooks before it looks up such a name,
and the hook here ends the process for anything but ``bytes``, the type of every result. Exceptions,
which Dask sends as pickles when a worker dies, aren't read at all.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from concurrent.futures import Future
from typing import Any, NoReturn

_NEEDED = ("builtins", "bytes")

_READERS = ["dask", "msgpack", "error"]
"""The data formats that Dask reads here: all of its own except pickles."""


class _Connection:
    """To the grader."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self.lines = self._socket.makefile("rb")
        self._sending = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, from any thread."""
        with self._sending:
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def stop(self, reason: str) -> NoReturn:
        """Report the reason and exit at once."""
        self.send({"stopped": reason})
        os._exit(1)


def refuse_pickles(connection: _Connection) -> None:
    """End this process when it is about to look up what a pickle names."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event != "pickle.find_class" or arguments[:2] == _NEEDED:
            return
        name = ".".join(map(str, arguments[:2]))[:200]
        connection.stop(
            f"something was sent that would have executed {name!a} here: don't trust this cluster"
        )

    sys.addaudithook(hook)


def unread(*exception: Any, **more: Any) -> tuple[type[Exception], Exception, None]:
    """Replace Dask's ``clean_exception``, which unpickles what a worker sends."""
    return RuntimeError, RuntimeError("a task failed"), None


def main() -> None:
    """Connect, then serve requests until the grader has ended."""
    address, descriptor = sys.argv[1:]
    connection = _Connection(int(descriptor))
    import distributed

    from autograder.execution.dask_executor import execute_sent

    distributed.core.clean_exception = unread
    # mypy lets only the module that defines a name assign it; this one imported and calls it.
    distributed.client.clean_exception = unread  # type: ignore[attr-defined]
    refuse_pickles(connection)
    try:
        client = distributed.Client(
            address, timeout=10, set_as_default=False, deserializers=_READERS
        )
    except Exception as error:
        connection.stop(str(error) or type(error).__name__)
    # A submission whose worker died is given to another worker.
    executor = client.get_executor(retries=3, pure=False)
    connection.send({"connected": True})

    def answer(number: int, most: int, done: Future[bytes]) -> None:
        if done.cancelled() or done.exception() is not None:
            reason = "the cluster gave up on the submission: its worker's log says why"
            connection.send({"request": number, "error": reason})
            return
        result = done.result()
        if not isinstance(result, bytes) or len(result) > most:
            reason = f"a worker sent no answer, or one of more than {most:,} bytes"
            connection.send({"request": number, "error": reason})
            return
        text = result.decode("utf8", "replace")
        connection.send({"request": number, "answer": text})

    for line in connection.lines:
        request = json.loads(line)
        number = request["request"]
        if "size" in request:
            workers = client.scheduler_info(n_workers=-1)["workers"].values()
            threads = sum(worker["nthreads"] for worker in workers)
            connection.send({"request": number, "answer": threads})
        else:
            sent = executor.submit(execute_sent, request["task"].encode())
            sent.add_done_callback(
                lambda done, n=number, most=request["most"]: answer(n, most, done)
            )
    os._exit(0)  # tasks that still run on the cluster end with the connection


if __name__ == "__main__":
    main()
