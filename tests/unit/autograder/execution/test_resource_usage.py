"""What kernels use is watched, also where the system does not let everything be read."""

import asyncio
import os
import subprocess
import sys
import time

import pytest
from nbformat.v4 import new_notebook

from autograder.execution import notebook_client, resource_usage
from autograder.execution.job import Plan
from autograder.execution.resource_usage import usage

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="reads /proc, which only Linux has"
)


@pytest.fixture
def child():
    """A process that does nothing, with one below it."""
    script = (
        "import subprocess, sys\n"
        "subprocess.Popen(['sleep', '1000'])\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    process.stdout.readline()
    yield process
    os.killpg(process.pid, 9)
    process.wait()
    process.stdin.close()
    process.stdout.close()


@pytest.fixture
def deny(monkeypatch):
    """Refuse to read a process's files, or some, as ``/proc`` mounted with ``hidepid=1`` does."""
    read, listdir = resource_usage._read, os.listdir

    def refuse(pid, *names):
        def is_refused(path):
            return path.startswith(f"/proc/{pid}/") and (not names or path.endswith(names))

        def refusing(look):
            def looking(path):
                if is_refused(path):
                    raise PermissionError(1, "Operation not permitted", path)
                return look(path)

            return looking

        monkeypatch.setattr(resource_usage, "_read", refusing(read))
        monkeypatch.setattr(resource_usage.os, "listdir", refusing(listdir))

    return refuse


def test_of_a_first_process_that_may_not_be_read_only_that_is_known(child, deny):
    deny(child.pid)
    used = usage(child.pid)
    assert used.unseen == (f"/proc/{child.pid}",)
    assert (used.cpu, used.processes, used.resident, used.living) == (0, 0, 0, ())


def test_a_process_that_may_not_be_read_is_named_and_no_other(child, deny):
    everything = usage(os.getpid())
    assert everything.unseen == ()
    deny(child.pid)
    used = usage(os.getpid())
    assert used.unseen == (f"/proc/{child.pid}",)
    assert any(place.startswith(f"/proc/{os.getpid()}/") for place in used.living)
    assert used.processes < everything.processes


@pytest.mark.parametrize("name", ["/statm", "/fd", "/children", "/status"])
def test_a_process_that_may_not_be_read_everywhere_is_named(child, deny, name):
    deny(child.pid, name)
    (place,) = usage(os.getpid()).unseen
    assert f"{place}/".startswith(f"/proc/{child.pid}/")


@pytest.mark.parametrize("refused", [(), ("/statm",), ("/fd",)])
def test_a_kernel_that_may_not_be_read_is_ended_with_a_reason(child, deny, tmp_path, refused):
    plan = Plan({}, {})
    without = notebook_client._LeftOut(frozenset(), {})
    deadline = time.monotonic() + 60
    client = notebook_client._Client(new_notebook(), tmp_path, plan, without, deadline)
    client.process = child
    deny(child.pid, *refused)

    async def watch():
        watching = asyncio.create_task(client._watch())
        while not client.ended and not watching.done():
            await asyncio.sleep(0.05)
        await asyncio.sleep(2 * notebook_client.POLL_INTERVAL)
        assert not watching.done()  # it goes on
        watching.cancel()

    asyncio.run(watch())
    assert client.ended == "the kernel was killed: it ran a program that cannot be watched"
    assert child.wait(10) < 0
