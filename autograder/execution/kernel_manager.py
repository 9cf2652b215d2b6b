"""Start a kernel for a plan."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from autograder.execution.job import Plan
from autograder.kernels import provisioner

LARGEST_MESSAGE = 16 * 2**20
"""Maximum message size in bytes; a larger message breaks the connection."""

WAITING_MESSAGES = 32
"""Receive high-water mark: the number of messages queued here; more wait in the kernel."""


_POLL_INTERVAL = 0.01
"""Seconds between checks whether a kernel has ended."""


class Client(AsyncKernelClient):
    """A client for a kernel that has had no other client before."""

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Wait until both channels are connected.

        jupyter_client would then also listen for a fifth of a second for messages to earlier
        clients, but there were none.

        Args:
            timeout: in seconds.

        Raises:
            RuntimeError: when the kernel has died, or the time is up.
        """
        deadline = time.monotonic() + (timeout or math.inf)
        while True:
            self.kernel_info()
            with suppress(Empty):
                reply = await self.get_shell_msg(timeout=1)
                await self.get_iopub_msg(timeout=0.2)
                self._handle_kernel_info_reply(reply)
                return
            if not await self._async_is_alive():
                raise RuntimeError("The kernel died before it answered")
            if time.monotonic() > deadline:
                raise RuntimeError(f"The kernel did not answer in {timeout} seconds")


class Manager(AsyncKernelManager):
    """Starts kernels through the forking provisioner, on Unix sockets in a folder."""

    def __init__(self, sockets: Path, plan: Plan, **kwargs: Any) -> None:
        names = {"connection_file": str(sockets / "k.json"), "ip": str(sockets / "k")}
        if plan.sandboxed:
            # Through links that are created once the kernel has its sockets.
            names["ip"] = str(sockets / "there" / "k")
        super().__init__(transport="ipc", **names, **kwargs)
        self._provisioner_config = {
            "modules": list(plan.modules),
            "variables": dict(plan.import_variables),
            "limits": plan.limits if plan.sandboxed else None,
            "view": plan.view,
        }
        self.client_factory = Client
        self.incoming = zmq.asyncio.Context()
        self.incoming.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)
        self.incoming.setsockopt(zmq.RCVHWM, WAITING_MESSAGES)

    # Like its base class, it makes clients of another type than KernelManager.
    def client(self, **kwargs: Any) -> AsyncKernelClient:  # type: ignore[override]
        """A client with limits on received messages."""
        return super().client(context=self.incoming, **kwargs)

    async def _async_finish_shutdown(
        self,
        waittime: float | None = None,
        pollinterval: float = _POLL_INTERVAL,
        restart: bool = False,
    ) -> None:
        """Like jupyter_client's method, but polls ten times as often."""
        await super()._async_finish_shutdown(waittime, pollinterval, restart)

    @property
    def kernel_spec(self) -> KernelSpec | None:
        """The kernel specification by name, with our provisioner."""
        spec = super().kernel_spec
        if spec is not None:
            spec.metadata["kernel_provisioner"] = {
                "provisioner_name": provisioner.NAME,
                "config": self._provisioner_config,
            }
        return spec
