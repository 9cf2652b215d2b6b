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
from autograder.sanitize.source import Source, read_source

SEED_BITS = 53
"""Of a seed: too many to try, and a whole number wherever JSON is read."""


class ExecuteSubmission(Execute):
    """Executes a notebook in a forked kernel that has this run's secret inputs.

    A kernel that dies ends the execution, not the grading: what was answered before counts.
    """

    all_cells = Bool(
        False, help="Also execute what the source tags as a demonstration, such as trainings."
    ).tag(config=True)
    sandbox = Enum(
        ["bubblewrap", "none"],
        "bubblewrap",
        help="Where students' code runs; with none, it can do whatever you can.",
    ).tag(config=True)
    memory_limit = Int(Limits.memory, help="MB of a kernel and what it starts.").tag(config=True)
    process_limit = Int(Limits.processes, help="Its processes and threads.").tag(config=True)
    disk_limit = Int(Limits.disk, help="MB of its files, in a sandbox.").tag(config=True)
    total_timeout = Int(
        TOTAL, min=1, help="Seconds by the clock that all cells together may take."
    ).tag(config=True)
    output_limit = Int(Limits.output, help="MB that a cell may send.").tag(config=True)
    data_folders = List(
        Unicode(), help="Folders that sandboxes show, read-only and at the same path."
    ).tag(config=True)
    variables = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="Variables of the kernels' environment, also when packages are imported.",
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
        """See that what the course adds to kernels may be added.

        Raises:
            NotReady: when a folder or a variable may not.
        """
        folders = self.data_folders if self.sandbox != "none" else ()
        exchange = Path(Exchange(parent=self).root)
        check_additions(course_of(self), coursedir, exchange, folders, self.variables)


def plan_for(preprocessor: Execute, nb: NotebookNode, names: Mapping[str, str]) -> Plan:
    """Plan a submission's execution.

    Args:
        preprocessor: carries the instructor's configuration.
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


def _skipped(preprocessor: Execute, nb: NotebookNode, source: Source) -> frozenset[int]:
    """Positions of the demonstrations, where they are not to be executed."""
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
    """Bytes of a sandbox's disk, as the configuration of nbgrader's converter says."""
    return ExecuteSubmission(parent=converter).disk_limit * 2**20


def _source(preprocessor: Execute, names: Mapping[str, str]) -> Source:
    """The instructor's copy of a submission's notebook."""
    coursedir = _coursedir(preprocessor)
    folder = coursedir.format_path(coursedir.source_directory, ".", names["assignment"])
    return read_source(Path(folder) / f"{names['notebook']}.ipynb")


def _coursedir(preprocessor: Execute) -> CourseDirectory:
    return preprocessor.parent.parent.coursedir


def check_kernels(configured: LoggingConfigurable, notebooks: Iterable[Path]) -> None:
    """See that a lesson's kernels are here, and can run in the sandbox where there is to be one.

    Args:
        configured: carries the instructor's configuration.
        notebooks: the lesson's, with solutions.

    Raises:
        NotReady: when one is not, or cannot.
    """
    settings = ExecuteSubmission(parent=configured)
    for path in notebooks:
        name = settings.kernel_name or read_source(path).kernel
        try:
            if provisioner.is_forked(name) or settings.sandbox == "none":
                continue
        except NoSuchKernel:
            raise NotReady(
                f"there is no kernel {name!r} here, and {path.name} asks for it"
            ) from None
        raise NotReady(
            f"{path.name} asks for the kernel {name!r}, and the sandbox only runs that of the "
            f"Python that grades ({sys.executable}). For a lesson in Python, install what it "
            'imports there and set c.Execute.kernel_name = "python3" in nbgrader_config.py. Other '
            "kernels work without a sandbox (--sandbox none), where submissions can do what you can"
        )
