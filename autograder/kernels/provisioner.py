"""Provide forked kernels by name to everything that starts kernels through jupyter_client."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from traitlets import Dict, Instance, List, Unicode

import selfcheck
from autograder.declaration import find_course
from autograder.kernels import client, forkserver, sandbox, transfer

NAME = "forking-provisioner"
"""Its entry point: for a kernel specification's ``metadata``, or for the variable
``JUPYTER_DEFAULT_PROVISIONER_NAME``."""

INPUTS = "inputs"
"""A file beside a kernel's connection file that comes into its sandbox as well."""


class ForkingProvisioner(LocalProvisioner):
    """Forks IPython kernels of this Python; starts all others as jupyter_client does.

    If kernels can't be forked, all of them are ordinary ones, and the log says why.
    """

    modules = List(
        Unicode(),
        help="Modules that the forking process imports; the course's own, if left out.",
    ).tag(config=True)
    variables = Dict(help="Environment variables to set for these imports.").tag(config=True)
    limits = Instance(sandbox.Limits, allow_none=True)
    """A sandboxed kernel's limits; outside of a sandbox None."""
    view = Instance(sandbox.View, (), help="What is visible in the sandbox.")

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork the kernel if its command is that of an IPython kernel of this Python."""
        arguments = _ipykernel_arguments(cmd)
        if arguments is None:
            return await super().launch_kernel(cmd, **kwargs)
        try:
            loop = asyncio.get_running_loop()
            # The first kernel waits for the imports; others' messages must not.
            process = await loop.run_in_executor(None, self._fork, arguments, kwargs)
        except client.CannotFork as error:
            if self.limits is not None:
                raise
            _say_once(str(error))
            return await super().launch_kernel(cmd, **kwargs)
        self.process: Any = process  # it has what jupyter_client uses of a Popen
        self.pid = process.pid
        self.cwd = kwargs.get("cwd", Path.cwd())
        return self.connection_info

    def _fork(self, arguments: Sequence[str], kwargs: dict[str, Any]) -> client.ForkedProcess:
        sandboxed = self.limits is not None
        modules = self.modules or find_course().preload
        server = client.shared(modules, self.variables, self.view if sandboxed else None)
        with ExitStack() as opened:
            streams: list[int] = []
            for name, own in (("stdout", 1), ("stderr", 2)):
                stream = kwargs.get(name)
                if stream == subprocess.DEVNULL:
                    stream = opened.enter_context(Path(os.devnull).open("wb"))
                elif stream == subprocess.PIPE:
                    raise client.CannotFork(f"a pipe for {name} would have no reader")
                streams.append(own if stream is None else _descriptor(stream))
            stdout, stderr = streams
            environment = kwargs.get("env") or os.environ
            folder = kwargs.get("cwd")
            if sandboxed:
                return self._fork_into_sandbox(
                    server, arguments, environment, folder, (stdout, stderr)
                )
            process = server.fork(arguments, environment, folder and str(folder), stdout, stderr)
        process.start()
        return process

    def _fork_into_sandbox(
        self,
        server: client.ForkServer,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: str | Path | None,
        streams: tuple[int, int],
    ) -> client.ForkedProcess:
        """Fork a kernel, give it the folder's files, and link to its sockets."""
        self._require_the_course(server.wait_until_ready())
        assert self.parent is not None  # the kernel's manager
        file = Path(self.parent.connection_file)
        inside = Path(forkserver.CONNECTION)
        moved = [str(inside / file.name) if name == str(file) else name for name in arguments]
        process = server.fork(moved, environment, forkserver.WORK, *streams, self.limits)
        assert process.folder is not None  # every sandboxed kernel has one
        there = Path(f"/proc/self/fd/{process.connection}")
        connection = json.loads(file.read_text())
        sockets = Path(connection["ip"])
        connection["ip"] = str(inside / sockets.name)
        try:
            (there / file.name).write_text(json.dumps(connection))
            if (file.parent / INPUTS).exists():
                shutil.copyfile(file.parent / INPUTS, there / INPUTS)
            transfer.copy_in(Path(folder or "."), process.folder)
            process.start()
        except OSError as error:
            process.close()
            raise client.CannotFork(f"the files don't fit into the sandbox: {error}") from None
        except client.CannotFork:
            process.close()
            raise
        ports = [str(value) for key, value in connection.items() if key.endswith("_port")]
        process.hold_sockets(sockets.name, ports)
        sockets.parent.mkdir()
        for port, descriptor in process.sockets.items():
            link = sockets.with_name(f"{sockets.name}-{port}")
            link.symlink_to(f"/proc/self/fd/{descriptor}")
        return process

    def _require_the_course(self, missing: Mapping[str, str]) -> None:
        """Refuse kernels that can't import the course's own modules, because every check would fail
        in them."""
        for name, reason in missing.items():
            module = name.replace(":", ".")
            if module.partition(".")[0] in (*self.view.shown, selfcheck.__name__):
                raise client.CannotFork(
                    f"the sandbox's kernels cannot import {module} ({reason}): install the "
                    "course's package from this folder (python -m pip install -e .)"
                )


@functools.cache
def _say_once(reason: str) -> None:
    # Don't use jupyter_client's log, which is silent in most commands.
    logging.getLogger(__name__).warning(
        "Kernels can't be forked, so they start more slowly: %s", reason
    )


def is_forked(kernel: str) -> bool:
    """Whether kernels of this name are forked.

    Raises:
        jupyter_client.kernelspec.NoSuchKernel: when there is none here.
    """
    return _ipykernel_arguments(KernelManager(kernel_name=kernel).format_kernel_cmd()) is not None


def _ipykernel_arguments(cmd: Sequence[str]) -> list[str] | None:
    """The arguments after ``python ... -m ipykernel_launcher``, if that is this Python."""
    python, *options = map(str, cmd)
    if "ipykernel_launcher" not in options or not Path(python).exists():
        return None
    at = options.index("ipykernel_launcher")
    return options[at + 1 :] if options[at - 1] == "-m" and _is_this_python(python) else None


def _is_this_python(python: str) -> bool:
    # Environments may link to the same binary, so compare its folder as well.
    ours = Path(sys.executable)
    return Path(python).parent.samefile(ours.parent) and Path(python).samefile(ours)


def _descriptor(stream: Any) -> int:
    return stream if isinstance(stream, int) else stream.fileno()
