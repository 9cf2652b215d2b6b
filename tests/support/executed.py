"""Notebooks executed as a student's Jupyter does, for tests."""

from tempfile import TemporaryDirectory

from nbclient import NotebookClient
from traitlets.config import Config


def execute(notebook, folder, environment, timeout=None, stderr=None):
    """Run a notebook's cells in ``folder``; errors are left in its outputs.

    The kernel listens on Unix sockets: where tests run side by side, a free TCP port is often
    another process's by the time the kernel opens it.
    """
    with TemporaryDirectory(prefix="k") as sockets:
        manager = {"transport": "ipc", "connection_file": f"{sockets}/kernel.json"}
        client = NotebookClient(
            notebook,
            allow_errors=True,
            timeout=timeout,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            config=Config(KernelManager=manager),
        )
        client.execute(env=environment, stderr=stderr)
