"""The sandbox around the process that forks kernels: bubblewrap, and what is visible inside.

Inside are the system's programs and libraries, this Python with its packages, and the course's
package, all read-only. There is no network, and neither ``autograder`` nor the course's keys nor
any of the instructor's folders except those with data. ``forkserver`` adds each kernel's own
namespaces and temporary file system, and limits its files and processes. Memory and output are
limited from outside: ``execution.notebook_client`` ends a kernel that takes too much.
"""

from __future__ import annotations

import functools
import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import selfcheck
from autograder.kernels import forkserver
from selfcheck import texts
from selfcheck.course import package_folder

if TYPE_CHECKING:
    from selfcheck import Course

_SCRIPT = Path(forkserver.__file__)
_PACKAGE = Path(__file__).parents[1]
_INSIDE = "/forkserver.py"
_ACCOUNTS = _SCRIPT.with_name("passwd")

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/sys/devices/system/cpu")
_SETTINGS = (
    "alternatives",
    "fonts",
    "mime.types",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
)
KEPT_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", texts.VARIABLE)
"""The grader's environment variables that kernels also get."""

OWN_FOLDERS = (
    *("/tmp", "/dev", "/proc", "/sys", "/etc", "/run"),
    *(forkserver.PRIVATE, forkserver.WHOLE_PROC),
)
"""Folders that a sandbox has itself or, like those of the machine's services, must not have."""


class SandboxError(Exception):
    """A sandbox isn't possible here; the message says why."""


@dataclass(frozen=True)
class Limits:
    """Limits of a kernel and all that it starts.

    Args:
        memory: MB of memory (proportional set size), without its files.
        processes: number of processes and threads.
        disk: MB of files, in total and for the largest one.
        output: MB of messages in one cell.
    """

    memory: int = 4096
    processes: int = 512
    disk: int = 1024
    output: int = 20


@dataclass(frozen=True)
class View:
    """What is visible in a sandbox, besides Python and its packages.

    Args:
        shown: packages that may be outside Python's own folders, such as in a checkout.
        secret: packages to hide, wherever they are.
        hidden: folders to hide, if they exist.
        data: the course's data folders, which are shown even inside hidden ones.
    """

    shown: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    data: tuple[str, ...] = ()


def view_of(course: Course, *folders: str, data: Iterable[str] = ()) -> View:
    """What a course's kernels see.

    Args:
        course: its package is shown and its keys are hidden.
        folders: folders to hide, wherever they are.
        data: folders to show, even inside a hidden one.
    """
    shown = tuple(filter(None, (course.package,)))
    return View(shown, tuple(filter(None, (course.keys,))), folders, tuple(data))


def command(arguments: Sequence[str], view: View, variables: Mapping[str, str]) -> list[str]:
    """The command that runs ``forkserver`` in a sandbox.

    Args:
        arguments: the script's arguments.
        view: what is visible inside.
        variables: its environment variables.

    Raises:
        SandboxError: when bubblewrap isn't installed, or a data folder is missing.
    """
    bubblewrap = shutil.which("bwrap")
    if not sys.platform.startswith("linux"):
        raise SandboxError(f"the sandbox needs Linux, and this is {sys.platform}")
    if bubblewrap is None:
        raise SandboxError(
            "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
        )
    for folder in view.data:
        if not Path(folder).is_dir():
            raise SandboxError(f"the data folder {folder} is not on this machine")
    # As the first process inside, its resource usage is counted with its children's.
    options = [bubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1"]
    options += ["--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--clearenv"]
    for path in _SYSTEM:
        options += _link_or_bind(Path(path))
    for name in _SETTINGS:
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    # The account's entry, which libraries ask the system for.
    options += ["--ro-bind", str(_ACCOUNTS), "/etc/passwd"]
    options += ["--tmpfs", "/tmp"]
    for layer, shown in _layers(view):
        options += ["--ro-bind", str(layer), str(layer)] if shown else ["--tmpfs", str(layer)]
    options += ["--ro-bind", str(_SCRIPT), _INSIDE]
    # Linux only allows a namespace its own /proc if a complete one is visible, and bubblewrap
    # covers a part of its own if it's run by root.
    options += ["--bind", "/proc", forkserver.WHOLE_PROC]
    options += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", forkserver.PRIVATE]
    # Not the device: a shared mapping of it is memory that isn't counted for any process.
    options += ["--ro-bind", "/dev/zero", "/dev/zero"]
    options += ["--dir", forkserver.TEMPORARY, "--chdir", forkserver.PRIVATE]
    for path in ("/dev", "/tmp", "/"):
        options += ["--remount-ro", path]
    for name, value in environment(variables).items():
        options += ["--setenv", name, value]
    return [*options, os.path.normpath(sys.executable), "-P", _INSIDE, *arguments]


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment of a sandboxed process: of this one's variables, only those without private
    information.

    Args:
        variables: variables to add.
    """
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"])
    own = {"HOME": forkserver.HOME, "TMPDIR": forkserver.TEMPORARY, "USER": "student"}
    return {"PATH": path, **own, **kept, **variables}


@functools.cache
def problem() -> str:
    """Why there can be no sandbox here, or "" if there can."""
    try:
        trial = command(["trial"], View(), {})
    except SandboxError as error:
        return str(error)
    done = subprocess.run(
        trial,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode == 0:
        return ""
    lines = done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"]
    return f"bubblewrap does not work here: {lines[-1]}"


def _layers(view: View) -> Iterator[tuple[Path, bool]]:
    """The shown and hidden parts of Python, its packages and data, outer folders first."""
    shown = {Path(sys.prefix), Path(sys.base_prefix), Path(selfcheck.__file__).parent}
    shown |= {*folders_of(view.shown), *map(Path, view.data)}
    if site.ENABLE_USER_SITE:
        shown.add(Path(site.getusersitepackages()))
    layers = dict.fromkeys((path.resolve() for path in shown if path.is_dir()), True)
    there = filter(os.path.isdir, view.hidden)
    hidden: tuple[str | Path, ...] = (*there, *folders_of(view.secret), _PACKAGE)
    layers |= dict.fromkeys((Path(path).resolve() for path in hidden), False)
    emitted: dict[Path, bool] = {Path("/"): False, Path("/usr"): True}
    for path in sorted(layers, key=lambda path: len(path.parts)):
        around = next(emitted[parent] for parent in path.parents if parent in emitted)
        if layers[path] != around:
            yield path, layers[path]
        emitted[path] = layers[path]


def folders_of(packages: Iterable[str]) -> Iterator[Path]:
    """The folders of the packages that are installed here."""
    for name in packages:
        with suppress(ModuleNotFoundError):
            yield package_folder(name)


def _link_or_bind(path: Path) -> list[str]:
    """Show a system folder as a folder or a link, as it is here: many are links into /usr."""
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind-try", str(path), str(path)]
