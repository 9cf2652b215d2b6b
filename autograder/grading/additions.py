"""Check a course's additions to its kernels: data folders in sandboxes, and variables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from sqlalchemy.engine import make_url

from autograder.course_folder import STAGING, STEPS
from autograder.execution.executor import THREAD_VARIABLES
from autograder.grading.preflight import NotReady
from autograder.kernels import sandbox
from autograder.kernels.client import ONE_THREAD
from selfcheck import Course, responses

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OF_PROGRAMS = re.compile("PYTHON|IPYTHON|JUPYTER|JPY_|LD_|NBGRADER_")
"""Prefixes of variables that decide what a kernel is and which files it executes."""


def check_additions(
    course: Course,
    coursedir: CourseDirectory,
    exchange: Path,
    folders: Iterable[str],
    variables: Mapping[str, str],
) -> None:
    """Check that only data is shown, and that no variable is set that the grader sets itself.

    Args:
        course: whose kernels they are.
        coursedir: nbgrader's.
        exchange: nbgrader's, whether or not there is one.
        folders: that sandboxes are to show.
        variables: of the kernels' environment.

    Raises:
        NotReady: when a folder or a variable may not be added.
    """
    private = [*_private(course, coursedir), exchange.resolve()]
    whole = [Path(coursedir.root).resolve(), Path.home().resolve()]
    for name in folders:
        if problem := _problem_of_folder(Path(name), whole, private):
            raise NotReady(f"c.ExecuteSubmission.data_folders has {name!r}, {problem}")
    for name, value in variables.items():
        if problem := _problem_of_variable(name, value, course):
            raise NotReady(f"c.ExecuteSubmission.variables sets {name!r}, {problem}")


def _private(course: Course, coursedir: CourseDirectory) -> Iterator[Path]:
    """Files and folders of which students' code must not see any part."""
    for name in (STAGING, *(getattr(coursedir, f"{step}_directory") for step in STEPS)):
        yield Path(coursedir.root, name).resolve()
    database = make_url(coursedir.db_url)
    if database.get_backend_name() == "sqlite" and database.database:
        yield Path(coursedir.root, database.database).resolve()
    yield from (path.resolve() for path in sandbox.folders_of(filter(None, [course.keys])))


def _problem_of_folder(folder: Path, whole: Iterable[Path], private: Iterable[Path]) -> str:
    """Why a sandbox can't show a folder, and what to do, or "".

    Args:
        folder: the folder, as the course names it.
        whole: folders that must not be shown as a whole.
        private: files and folders of which no part may be shown.
    """
    if not folder.is_absolute():
        return "which isn't an absolute path: begin it with /"
    if not os.access(f"{folder}/.", os.R_OK | os.X_OK):
        return "which isn't a folder that you can read: correct the path"
    if folder.resolve() != folder:
        return f"which leads to {folder.resolve()}: name that folder"
    for own in map(Path, sandbox.OWN_FOLDERS):
        if folder.is_relative_to(own):
            return f"but a sandbox has its own {own}: put the data into another folder"
    shown = [path for path in (*whole, *private) if path.is_relative_to(folder)]
    shown += [path for path in private if folder.is_relative_to(path)]
    if shown:
        return f"which would show students {shown[0]}: put the data into a separate folder"
    return ""


def _problem_of_variable(name: str, value: str, course: Course) -> str:
    """Why kernels can't have a variable, and what to do, or ""."""
    if not _VARIABLE.fullmatch(name):
        return "which isn't a valid name: use letters, digits and underscores"
    set_here = {*sandbox.environment({}), *sandbox.KEPT_VARIABLES, *ONE_THREAD, *THREAD_VARIABLES}
    set_here |= {responses.INPUTS_VARIABLE, *course.variables}
    if name in set_here or _OF_PROGRAMS.match(name):
        return "which the grader sets itself in every kernel: leave it out"
    if "\0" in value:
        return "whose value has a null character: leave that out"
    return ""
