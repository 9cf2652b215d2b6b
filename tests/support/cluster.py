"""A Dask cluster on this machine."""

import json
import os
import subprocess
import time
from contextlib import contextmanager

from tests.support.commands import BIN


@contextmanager
def dask_cluster(folder, *, workers=1, options=(), variables=None):
    """The address of a scheduler, and processes of workers that see neither course nor gradebook.

    Args:
        folder: for their files.
        workers: how many.
        options: of all commands.
        variables: of the environment.
    """
    place = folder / "scheduler.json"
    started = []

    def start(*arguments):
        command = [BIN / "dask", *arguments, "--no-dashboard", *options]
        environment = os.environ | (variables or {})
        started.append(
            subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)
        )

    try:
        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", place)
        deadline = time.monotonic() + 120
        while not place.is_file():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        address = json.loads(place.read_text())["address"]
        for number in range(workers):
            one_kernel = ("--nworkers", "1", "--nthreads", "1", "--no-nanny")
            start("worker", address, *one_kernel, "--local-directory", folder / str(number))
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()
