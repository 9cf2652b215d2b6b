"""A person's place: folders of their own, the commands they type, the JupyterLab they start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

COMMANDS = Path(sys.executable).parent
_PATIENCE = 180  # seconds: others may use the machine

_EXCHANGE = """
c = get_config()  # noqa: F821
c.Exchange.root = {exchange!r}
"""

_SERVER = {"ServerApp": {"ip": "127.0.0.1", "allow_root": True}}  # CI may be root

# What JupyterLab takes for the browser: it keeps the address for the one that the test drives.
_BROWSER = """#!/bin/sh
printf %s "$1" > "$0.part"
mv "$0.part" "$0.page"
"""

_SETTINGS = {"fetchNews": "false", "checkForUpdates": False}


@dataclass(frozen=True)
class Desk:
    """Where somebody works.

    Args:
        folder: in which they type commands.
        home: of nobody else; Jupyter's configuration and data are in it.
    """

    folder: Path
    home: Path

    @classmethod
    def set_up(cls, folder: Path, home: Path, exchange: Path) -> Desk:
        """Prepare a home folder whose owner finds the exchange.

        Args:
            folder: exists.
            home: is made.
            exchange: nbgrader's, where assignments are handed out and in.
        """
        desk = cls(folder, home)
        settings = desk._jupyter / "lab/user-settings/@jupyterlab/apputils-extension"
        settings.mkdir(parents=True)
        (settings / "notification.jupyterlab-settings").write_text(json.dumps(_SETTINGS))
        (desk._jupyter / "jupyter_server_config.json").write_text(json.dumps(_SERVER))
        browser = home / "browser"
        browser.write_text(_BROWSER)
        browser.chmod(0o755)
        config = _EXCHANGE.format(exchange=str(exchange))
        (desk._jupyter / "nbgrader_config.py").write_text(config)
        return desk

    @property
    def _jupyter(self) -> Path:
        return self.home / "jupyter"

    @property
    def log(self) -> str:
        """What JupyterLab has said so far."""
        log = self.home / "server.log"
        return log.read_text("utf8", "replace") if log.exists() else ""

    @property
    def environment(self) -> dict[str, str]:
        """What a command sees: this home, and the commands of the environment that is tested."""
        foreign = ("JUPYTER", "IPYTHON", "XDG_", "MAKE", "NBGRADER", "COURSE_")
        kept = {name: text for name, text in os.environ.items() if not name.startswith(foreign)}
        return kept | {
            "BROWSER": str(self.home / "browser"),
            "HOME": str(self.home),
            "JUPYTER_CONFIG_DIR": str(self._jupyter),
            "JUPYTER_DATA_DIR": str(self.home / "data"),
            "JUPYTER_RUNTIME_DIR": str(self.home / "runtime"),
            "PATH": f"{COMMANDS}{os.pathsep}{os.environ['PATH']}",
        }

    def run(self, *command: str) -> str:
        """Type a command.

        Returns:
            What it printed.
        """
        finished = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert finished.returncode == 0, f"{' '.join(command)}:\n{finished.stdout}"
        return finished.stdout

    @contextmanager
    def jupyter_lab(self, command: Sequence[str] = ("jupyter", "lab")) -> Iterator[str]:
        """Start JupyterLab, and end it and all of its kernels afterwards.

        Yields:
            The address of the page that JupyterLab opens in a browser.
        """
        (self.home / "browser.page").unlink(missing_ok=True)
        with (self.home / "server.log").open("wb") as log:
            server = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield self._opened(server)
        finally:
            _stop(server)

    def _opened(self, server: subprocess.Popen[bytes]) -> str:
        deadline = time.monotonic() + _PATIENCE
        page = self.home / "browser.page"
        while not page.exists():
            if server.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"JupyterLab did not start:\n{self.log}")
            time.sleep(0.1)
        return page.read_text()


def _stop(server: subprocess.Popen[bytes]) -> None:
    """End a server as Control-C does, and what it left behind by force."""
    family = psutil.Process(server.pid).children(recursive=True) if server.poll() is None else []
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
    for process in psutil.wait_procs(family, timeout=10)[1]:
        process.kill()
