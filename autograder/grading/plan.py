"""How a submission is executed: the options in ``nbgrader_config.py``, and the plan they make."""

from __future__ import annotations

import base64
import secrets
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import Exchange
from nbgrader.preprocessors import Execute
from traitlets import Bool, Dict, Enum, Int, List, Unicode
from traitlets.config import LoggingConfigurable

from autograder.cells import grade_id, graded_exercise, lines
from autograder.declaration import course_of
from autograder.execution.job import TOTAL, Plan
from autograder.grading.additions import check_additions
from autograder.grading.preflight import NotReady
from autograder.kernels import provisioner
from autograder.kernels.sandbox import Limits, view_of
from autograder.sanitize.source import LessonSource, read_source

SEED_BITS = 53
"""Bits of a seed: too many to guess, and few enough for an exact integer in any JSON parser."""


class ExecuteSubmission(Execute):
    """The options of executing submissions; ``autograder.execution`` does it.

    nbgrader's list of preprocessors has it where the cells are executed, with the secret inputs of
    this run. A kernel that dies ends the execution, not the grading: what was answered before
    counts.
    """

    all_cells = Bool(
        False,
        help="Also execute cells that the source tags as demonstrations, such as training runs.",
    ).tag(config=True)
    sandbox = Enum(
        ["bubblewrap", "none"],
        "bubblewrap",
        help="The sandbox for students' code; with none, it runs with your privileges.",
    ).tag(config=True)
    memory_limit = Int(
        Limits.memory, help="Memory of a kernel and its child processes, in MB."
    ).tag(config=True)
    process_limit = Int(Limits.processes, help="Maximum number of its processes and threads.").tag(
        config=True
    )
    disk_limit = Int(Limits.disk, help="Disk space for its files in a sandbox, in MB.").tag(
        config=True
    )
    total_timeout = Int(
        TOTAL, min=1, help="Wall-clock time limit for all cells together, in seconds."
    ).tag(config=True)
    output_limit = Int(Limits.output, help="Maximum output of a cell, in MB.").tag(config=True)
    data_folders = List(
        Unicode(), help="Folders to show in sandboxes, read-only and at the same path."
    ).tag(config=True)
    variables = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="Environment variables of the kernels, also set while packages are imported.",
    ).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any], *args: Any, **kwargs: Any
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Refuse: nbgrader's own would run students' code in reach of the gradebook.

        Raises:
            RuntimeError: always. ``AutogradeAdapter`` has the cells executed elsewhere.
        """
        raise RuntimeError(
            "ExecuteSubmission needs c.Autograde.exporter_class = AutogradeAdapter, which "
            "configure(get_config()) sets in nbgrader_config.py"
        )

    def check_additions(self, coursedir: CourseDirectory) -> None:
        """Check that the course's additions to kernels are allowed.

        Raises:
            NotReady: when a folder or a variable isn't.
        """
        folders = self.data_folders if self.sandbox != "none" else ()
        exchange = Path(Exchange(parent=self).root)
        check_additions(course_of(self), coursedir, exchange, folders, self.variables)


def plan_for(preprocessor: Execute, nb: NotebookNode, names: Mapping[str, str]) -> Plan:
    """Plan a submission's execution.

    Args:
        preprocessor: has the instructor's configuration.
        nb: the submission, sanitized.
        names: of the ``assignment`` and the ``notebook``, as nbgrader's resources have them.

    Raises:
        UnknownExercise: when a locked cell names no exercise.
    """
    options = {
        name: value
        for name in NotebookClient.class_trait_names(config=True)
        if isinstance(value := getattr(preprocessor, name), bool | int | float | str | list | dict)
    }
    source = _source(preprocessor, names)
    course = course_of(preprocessor)
    configured = preprocessor if isinstance(preprocessor, ExecuteSubmission) else None
    added = configured.variables if configured else {}
    variables = {**added, "NBGRADER_EXECUTION": "autograde", **course.variables}
    graded = set(filter(None, map(graded_exercise, nb.cells)))
    if "grade" in source.helpers:  # the lesson's own, which asks nobody else
        graded.clear()
    seed = secrets.randbits(SEED_BITS)
    limits = Limits()
    if configured:
        limits = Limits(
            configured.memory_limit,
            configured.process_limit,
            configured.disk_limit,
            configured.output_limit,
        )
    return Plan(
        options,
        variables,
        source.modules,
        {**added, **source.variables},
        _skipped(preprocessor, nb, source),
        limits,
        sandboxed=configured is None or configured.sandbox != "none",
        view=view_of(
            course,
            str(_coursedir(preprocessor).root),
            Exchange(parent=preprocessor).root,
            data=configured.data_folders if configured else (),
        ),
        total=configured.total_timeout if configured else TOTAL,
        inputs=base64.b64encode(course.packed_inputs(sorted(graded), seed)).decode("ascii"),
        seed=seed,
        afresh=f"from {course.package} import check, grade" if graded else "",
    )


def _skipped(preprocessor: Execute, nb: NotebookNode, source: LessonSource) -> frozenset[int]:
    """Positions of the demonstrations, if they aren't to be executed."""
    if getattr(preprocessor, "all_cells", True):
        return frozenset()
    return frozenset(
        position
        for position, cell in enumerate(nb.cells)
        if cell.cell_type == "code"
        and not grade_id(cell)
        and lines(cell.source) in source.demonstrations
    )


def disk_room(converter: LoggingConfigurable) -> int:
    """The size of a sandbox's disk in bytes, from the configuration of nbgrader's converter."""
    return ExecuteSubmission(parent=converter).disk_limit * 2**20


def _source(preprocessor: Execute, names: Mapping[str, str]) -> LessonSource:
    """The instructor's copy of a submission's notebook."""
    coursedir = _coursedir(preprocessor)
    folder = coursedir.format_path(coursedir.source_directory, ".", names["assignment"])
    return read_source(Path(folder) / f"{names['notebook']}.ipynb")


def _coursedir(preprocessor: Execute) -> CourseDirectory:
    return preprocessor.parent.parent.coursedir


def check_kernels(configured: LoggingConfigurable, notebooks: Iterable[Path]) -> None:
    """Check that a lesson's kernels are installed, and can run in the sandbox if there is one.

    Args:
        configured: has the instructor's configuration.
        notebooks: the lesson's, with solutions.

    Raises:
        NotReady: when one isn't, or can't.
    """
    settings = ExecuteSubmission(parent=configured)
    for path in notebooks:
        name = settings.kernel_name or read_source(path).kernel
        try:
            if provisioner.is_forked(name) or settings.sandbox == "none":
                continue
        except NoSuchKernel:
            raise NotReady(
                f"the kernel {name!r}, which {path.name} asks for, isn't installed here"
            ) from None
        raise NotReady(
            f"{path.name} asks for the kernel {name!r}, but the sandbox only runs that of the "
            f"grader's own Python ({sys.executable}). For a lesson in Python, install what it "
            'imports there and set c.Execute.kernel_name = "python3" in nbgrader_config.py. Other '
            "kernels work without a sandbox (--sandbox none); submissions then have your privileges"
        )
