"""``course check-environment``: whether this machine has what the lessons need, a line for each.

Everything that is missing is reported with the command that installs it. Nothing is downloaded or
changed.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

from course import COURSE
from course.experiments import results
from course.runtime import user_files
from course.runtime.jupyterlab import hide_instructor_tools
from selfcheck import sheets, texts

INSTALL = f'{sys.executable} -m pip install "{COURSE.distribution}[jupyter]"'
"""Mends whatever is not installed; with the name of the wheel's file where it came as one."""

_ROOM = 2**30  # bytes that data and trainings take, at most


@dataclass(frozen=True)
class CheckResult:
    """One requirement.

    Args:
        what: it is, with what was found.
        problem: what is wrong, else "".
        fix: what to do about it.
    """

    what: str
    problem: str = ""
    fix: str = ""

    def __str__(self) -> str:
        if not self.problem:
            return f"[ OK ] {self.what}"
        return f"[FAIL] {self.what}: {self.problem}\n       {self.fix}"


def check_environment() -> Iterator[CheckResult]:
    """Look at every requirement, one after the other."""
    yield _python()
    for line in importlib.metadata.requires(COURSE.distribution) or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": "jupyter"}):
            yield _package(requirement)
    for what, look in (
        ("TensorFlow computes", _tensorflow),
        ("the kernel that notebooks run in", _kernel),
        ("what check() compares with", _answers),
        ("folder for results of earlier lessons", _results),
        ("data", _data),
        ("language of the checks", _language),
    ):
        yield _run_check(what, look)


def _python() -> CheckResult:
    what = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    specified = importlib.metadata.metadata(COURSE.distribution)["Requires-Python"]
    if Requirement(f"python{specified}").specifier.contains(f"{sys.version.split()[0]}"):
        return CheckResult(what)
    return CheckResult(
        what, f"the course needs {specified}", "Make an environment with such a Python."
    )


def _package(requirement: Requirement) -> CheckResult:
    wanted = f"{requirement.name} {requirement.specifier}".strip()
    try:
        version = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return CheckResult(wanted, "not installed", INSTALL)
    if requirement.specifier.contains(version, prereleases=True):
        return CheckResult(f"{requirement.name} {version}")
    return CheckResult(wanted, f"{version} is installed", INSTALL)


class _Problem(Exception):
    """Something is missing; the message says what, the second argument how to fix it."""


def _run_check(what: str, look: Callable[[], str]) -> CheckResult:
    """What ``look`` says of a requirement, or what it stumbled over."""
    try:
        return CheckResult(f"{what}: {look()}")
    except _Problem as error:
        return CheckResult(what, *error.args)
    except Exception as error:
        reason = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
        return CheckResult(what, reason, INSTALL)


def _tensorflow() -> str:
    # In a process of its own: a build for another processor ends the process.
    code = "import tensorflow as tf; print(int(tf.reduce_sum(tf.ones((3, 5)))))"
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode or done.stdout.split() != ["15"]:
        lines = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
        raise _Problem(lines[-1], INSTALL)
    return "yes"


def _kernel() -> str:
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    fix = f"{sys.executable} -m ipykernel install --sys-prefix"
    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        raise _Problem("Jupyter knows no kernel called python3", fix) from None
    # A bare name is the Python that Jupyter itself runs in.
    if Path(program).is_absolute() and not _same_environment(program):
        raise _Problem(f"{program} is not of this environment", fix)
    return program


def _same_environment(program: str) -> bool:
    return Path(program).parent.resolve() == Path(sys.executable).parent.resolve()


def _answers() -> str:
    for name in COURSE.names():
        sheets.load(COURSE.answers, COURSE.get(name))
    return f"{len(COURSE.names())} exercises"


def _results() -> str:
    folder = user_files.path(results.FILE).parent
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    if not os.access(there, os.W_OK):
        raise _Problem(
            f"{there} cannot be written",
            f"Name another folder in the environment variable {user_files.VARIABLE}.",
        )
    free = shutil.disk_usage(there).free
    if free < _ROOM:
        raise _Problem(f"{free / 2**20:.0f} MB are free on its disk", "Make room: 1 GB is needed.")
    return str(folder)


def _data() -> str:
    named = os.environ.get("COURSE_DATA")
    if not named:
        return "the built-in samples"
    if not Path(named).is_dir():
        fix = "Name the folder that holds the publishers' archives, or unset the variable."
        raise _Problem(f"COURSE_DATA names {named}, which is not a folder", fix)
    return f"archives in {named}"


def _language() -> str:
    try:
        used = texts.language()
    except texts.UnknownLanguage as error:
        raise _Problem(str(error), "Name one of these, or unset the variable.") from None
    others = [name for name in texts.languages() if name != used]
    return f"{used}; {texts.VARIABLE}={' or '.join(others)} chooses another"


def main(arguments: list[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: of the command line, if not those of the process.

    Returns:
        0, or 1 when something is missing.
    """
    parser = argparse.ArgumentParser("course", description="The course's own command.")
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    commands.add_parser(
        "check-environment", help="look whether this machine has what the lessons need"
    )
    commands.add_parser(
        "hide-instructor-tools",
        help="hide nbgrader's Formgrader, Create Assignment and Course List in JupyterLab",
    )
    if parser.parse_args(arguments).command == "hide-instructor-tools":
        for path in hide_instructor_tools():
            print(f"Wrote {path}. Delete it to see the tools again.")
        return 0
    failed = 0
    for result in check_environment():
        print(result, flush=True)
        failed += bool(result.problem)
    print(
        f"{failed} of these have to be fixed."
        if failed
        else "Everything is there. Next: jupyter lab, and open a lesson."
    )
    return int(failed > 0)
