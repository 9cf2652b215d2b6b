"""Preprocessors for ``nbgrader_config.py``: execution with a secret seed, judging, and preflight.

They take part in plain ``nbgrader autograde``, in the formgrader and in ``autograder grade``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.api import MissingEntry
from nbgrader.converters import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import Exchange
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Bool, Dict, Enum, Int, List, Unicode
from traitlets.config import LoggingConfigurable

from autograder.cells import grade_id, graded_exercise, lines
from autograder.declaration import DeclarationError, course_of, view_of
from autograder.execution.job import TOTAL, Outcome, Plan
from autograder.execution.notebook_client import ENDED_HERE, execute
from autograder.execution.outputs import clean, execution_count
from autograder.gradebook.schema import COURSE
from autograder.grading.additions import check_additions
from autograder.grading.preflight import NotReady, check_readiness
from autograder.grading.reasons import errors_in, why_nothing, with_cause
from autograder.judging.judge import Asked
from autograder.judging.keys import Key, key_of
from autograder.judging.marking import Marking, MarkingError, marking_of
from autograder.judging.time_limit import judge_in_time
from autograder.kernels import provisioner, sandbox
from autograder.kernels.sandbox import Limits
from autograder.sanitize.lesson_notebooks import HandedIn, LessonNotebooks
from autograder.sanitize.repair import REPAIRS
from autograder.sanitize.source import Source, read_source
from autograder.sanitize.submission import Refused, read_notebook, too_much
from selfcheck import Exercise, responses, verdicts
from selfcheck.texts import say
from selfcheck.verdicts import Verdict

_SEED, _HELPERS = "course_secret_seed", "course_helpers"

SEED_BITS = 53
"""Bits of a seed: too many to guess, and few enough for an exact integer in any JSON parser."""

INPUTS = "inputs"
"""The key in the metadata of a verdict's output for the fingerprint of its inputs."""

DECIDED_BY = "decided_by"
"""The key for the fingerprint of what decided the points: shares, right outputs and costs."""

WITHOUT_SANDBOX = (
    "To execute submissions without a sandbox, with your own privileges, set "
    'c.ExecuteSubmission.sandbox = "none" in nbgrader_config.py'
)


class ExecuteSubmission(Execute):
    """Executes a notebook in a forked kernel that has this run's secret inputs.

    A kernel that dies ends the execution, not the grading: what was answered before counts.
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
        """Execute the cells; put the seed into the resources for the judge.

        Raises:
            RuntimeError: when a sandbox is required but isn't available.
            NotReady: when the course shows a folder or sets a variable that isn't allowed.
        """
        _check_sandbox(self)
        self.check_additions(_coursedir(self))
        plan = plan_for(self, nb, resources)
        outcome = execute(nb, Path(resources["metadata"]["path"]), plan)
        apply_outcome(outcome, plan.seed, nb, resources)
        return nb, resources

    def check_additions(self, coursedir: CourseDirectory) -> None:
        """Check that the course's additions to kernels are allowed.

        Raises:
            NotReady: when a folder or a variable isn't.
        """
        folders = self.data_folders if self.sandbox != "none" else ()
        exchange = Path(Exchange(parent=self).root)
        check_additions(course_of(self), coursedir, exchange, folders, self.variables)


def plan_for(preprocessor: Execute, nb: NotebookNode, resources: dict[str, Any]) -> Plan:
    """Plan a submission's execution, and put the names of the lesson's helpers into resources.

    Args:
        preprocessor: has the instructor's configuration.
        nb: the submission, sanitized.
        resources: nbgrader's.

    Raises:
        ValueError: when what was handed in is a link to a notebook.
        UnknownExercise: when a locked cell names no exercise.
    """
    _remove_symlinks(preprocessor, resources)
    options = {
        name: value
        for name in NotebookClient.class_trait_names(config=True)
        if isinstance(value := getattr(preprocessor, name), bool | int | float | str | list | dict)
    }
    source = _source(preprocessor, resources["nbgrader"])
    course = course_of(preprocessor)
    configured = preprocessor if isinstance(preprocessor, ExecuteSubmission) else None
    added = configured.variables if configured else {}
    variables = {**added, "NBGRADER_EXECUTION": "autograde", **course.variables}
    resources[_HELPERS] = source.helpers
    graded = sorted({name for _, name in _graded(nb, resources)})
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
        inputs=base64.b64encode(course.packed_inputs(graded, seed)).decode("ascii"),
        seed=seed,
        afresh=f"from {course.package} import check, grade" if graded else "",
    )


def _skipped(preprocessor: Execute, nb: NotebookNode, source: Source) -> frozenset[int]:
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


def apply_outcome(outcome: Outcome, seed: int, nb: NotebookNode, resources: dict[str, Any]) -> None:
    """Put an execution's outputs into the notebook, and the judge's seed into the resources."""
    outcome.put_into(nb)
    resources[_SEED] = seed
    for number, cell in enumerate(nb.cells, start=1):
        for error in errors_in(cell):
            if error["ename"] == ENDED_HERE:
                line = responses.printable(f"cell {number} was skipped: {error['evalue']}")
                nb.metadata.setdefault(COURSE, {}).setdefault("repairs", []).append(line[:200])


def _graded(nb: NotebookNode, resources: Mapping[str, Any]) -> list[tuple[NotebookNode, str]]:
    """The cells to judge, each with its exercise."""
    if "grade" in resources.get(_HELPERS, ()):
        return []
    return [(cell, name) for cell in nb.cells if (name := graded_exercise(cell)) is not None]


def _source(preprocessor: Execute, names: Mapping[str, str]) -> Source:
    """The instructor's copy of a submission's notebook."""
    coursedir = _coursedir(preprocessor)
    folder = coursedir.format_path(coursedir.source_directory, ".", names["assignment"])
    return read_source(Path(folder) / f"{names['notebook']}.ipynb")


def _remove_symlinks(preprocessor: Execute, resources: Mapping[str, Any]) -> None:
    """Remove files that nbgrader copied through submitted links: they may be anybody's."""
    coursedir, names = _coursedir(preprocessor), resources["nbgrader"]
    handed_in, instructors = (
        Path(coursedir.format_path(directory, student, names["assignment"]))
        for directory, student in (
            (coursedir.submitted_directory, names["student"]),
            (coursedir.source_directory, "."),
        )
    )
    if (handed_in / f"{names['notebook']}.ipynb").is_symlink():
        raise ValueError(f"{names['notebook']}.ipynb is a link to another file, not a notebook")
    for root, _, files in os.walk(handed_in):
        for path in (Path(root) / name for name in files):
            below = path.relative_to(handed_in)
            if path.is_symlink() and not (instructors / below).is_file():
                (Path(resources["metadata"]["path"]) / below).unlink(missing_ok=True)


def _coursedir(preprocessor: Execute) -> CourseDirectory:
    return preprocessor.parent.parent.coursedir


class AutogradedNotebook(NotebookExporter):
    """Writes autograded notebooks as nbgrader does, if their exercises can be judged.

    nbgrader creates it before it removes a first result or copies a file, and no other part of ours
    runs so early. It therefore checks what would fail for every submission, takes submissions that
    can't be graded from nbgrader's list, and adds renamed notebooks to it.

    Args:
        kwargs: of ``NotebookExporter``; ``parent`` is nbgrader's converter.

    Raises:
        NbGraderException: when a lesson can't be judged or executed here, or when no submission
            can be graded.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        coursedir = self.parent.coursedir
        folder = coursedir.format_path(coursedir.source_directory, ".", coursedir.assignment_id)
        try:
            check_readiness(course_of(self), Path(folder).glob("*.ipynb"))
            settings = ExecuteSubmission(parent=self)
            _check_sandbox(settings)
            settings.check_additions(coursedir)
            check_kernels(self, Path(folder).glob("*.ipynb"))
            marking_of(self)
        except (NotReady, DeclarationError, MarkingError, RuntimeError) as error:
            self.log.error("Nothing was graded: %s", error)
            raise NbGraderException(f"Nothing was graded: {error}") from None
        self._handed_in: dict[str, HandedIn] = {}
        self._look_through_submissions()

    def from_filename(
        self, filename: str, resources: ResourcesDict | None = None, **kw: Any
    ) -> tuple[str, ResourcesDict]:
        """Read a notebook, and run the preprocessors: what was handed in is read as in every other
        way of grading."""
        if not self.parent._sanitizing:  # our own, between the two lists of steps
            return super().from_filename(filename, resources, **kw)
        handed_in = self._handed_in.get(filename, HandedIn(Path(filename), ()))
        resources[REPAIRS] = list(handed_in.remarks)
        return self.from_notebook_node(read_notebook(handed_in.path, resources[REPAIRS]), resources)

    def _look_through_submissions(self) -> None:
        """Make nbgrader skip what can't be graded, and find notebooks with other names."""
        room, lesson = disk_room(self), LessonNotebooks(self.parent.coursedir)
        submissions = self.parent.assignments
        problems = []
        for folder in tuple(submissions):
            problem = ""
            with suppress(OSError, MissingEntry):  # nbgrader itself reports what it can't read
                try:
                    problem = too_much(Path(folder), room, whole=True)
                    if not problem and self.parent.coursedir.notebook_id == "*":
                        self._find(lesson.handed_in(Path(folder)), folder)
                except Refused as error:
                    problem = str(error)
            if problem:
                problems.append(problem)
                self.log.error("%s was not graded: %s", responses.printable(str(folder)), problem)
                del submissions[folder]
        if problems and not submissions:
            raise NbGraderException(f"Nothing was graded: {'; '.join(problems)}")

    def _find(self, handed_in: Mapping[str, HandedIn], folder: str) -> None:
        """Make nbgrader grade files under the names of the lesson's notebooks."""
        for name, each in handed_in.items():
            path = os.path.join(folder, f"{name}.ipynb")  # noqa: PTH118 - as nbgrader spells it
            self._handed_in[path] = each
            if path not in self.parent.assignments[folder]:
                self.parent.assignments[folder].append(path)


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


def _check_sandbox(preprocessor: ExecuteSubmission) -> None:
    if preprocessor.sandbox != "none" and (problem := sandbox.problem()):
        raise RuntimeError(f"{problem}. {WITHOUT_SANDBOX}")


class JudgeResponses(NbGraderPreprocessor):
    """Replaces the outputs of every graded cell with the judge's verdict.

    The verdict is one ``execute_result``: the points as text, which nbgrader records, a table as
    HTML, which the formgrader and the feedback show, and the response itself, so that it can be
    judged again.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Judge the responses in an executed notebook.

        Raises:
            RuntimeError: when ``ExecuteSubmission`` is not among the preprocessors before it.
            UnknownExercise: when a locked cell names no exercise.
        """
        if _SEED not in resources:
            raise RuntimeError(
                "JudgeResponses needs ExecuteSubmission before it: see "
                "c.Autograde.autograde_preprocessors in nbgrader_config.py"
            )
        course, marking, seed = course_of(self), marking_of(self), resources[_SEED]
        graded = _graded(nb, resources)
        handed = [handed_over(clean(cell.outputs)) for cell, _ in graded]
        asked = [
            Asked(name, seed, each[0])
            for (_, name), each in zip(graded, handed, strict=True)
            if len(each) == 1
        ]
        judged = iter(judge_in_time(course, asked, marking))
        for (cell, name), each in zip(graded, handed, strict=True):
            key = key_of(course, name)
            if len(each) == 1:
                verdict = next(judged)
            elif each:
                said = say("{count} responses were sent; exactly one is expected", count=len(each))
                verdict = Verdict(name, reason=said)
            else:
                verdict = Verdict(name, reason=why_nothing(cell, nb, key.exercise.function))
            verdict = with_cause(verdict, nb)
            put_verdict(cell, verdict, seed, each, decided(key, seed, marking))
        return nb, resources


def handed_over(outputs: list[dict[str, Any]]) -> list[Any]:
    """The responses among a cell's cleaned outputs."""
    return [
        output["data"][responses.MIME]
        for output in outputs
        if responses.MIME in output.get("data", {})
    ]


def decided(key: Key, seed: int, marking: Marking) -> dict[str, str]:
    """The metadata of a verdict's output, which state what it was decided by."""
    return {INPUTS: fingerprint(key.exercise, seed), DECIDED_BY: marking.decided_by(key)}


def put_verdict(
    cell: NotebookNode, verdict: Verdict, seed: int, handed: list[Any], decided_by: dict[str, str]
) -> None:
    """Replace a graded cell's outputs with a verdict.

    Args:
        cell: its ``points`` are the maximum.
        verdict: the judge's.
        seed: of the inputs.
        handed: the responses that came back; a single one is kept, to be judged again.
        decided_by: from ``decided``.
    """
    maximum = float(cell.metadata.nbgrader.points)
    data = {
        "text/plain": repr(verdict.points(maximum)),
        "text/html": verdict.to_html(maximum),
        verdicts.MIME: verdict.to_json() | {"seed": seed},
    }
    if len(handed) == 1:
        data[responses.MIME] = handed[0]
    cell.execution_count = execution_count(cell.execution_count)
    cell.outputs = [
        new_output(
            "execute_result",
            data=data,
            execution_count=cell.execution_count,
            metadata=decided_by,
        )
    ]


def fingerprint(exercise: Exercise, seed: int) -> str:
    """A fingerprint of the inputs that a version of an exercise draws from a seed."""
    cases = [
        [case.name, {key: responses.encode(value) for key, value in case.inputs.items()}]
        for case in exercise.drawn(seed)
    ]
    return hashlib.sha256(json.dumps(cases).encode()).hexdigest()


def decided_by(cell: NotebookNode) -> str:
    """The fingerprint of what decided a judged cell's points; "" if none is recorded."""
    recorded = (output.get("metadata", {}).get(DECIDED_BY, "") for output in cell.outputs)
    return next(recorded, "")
