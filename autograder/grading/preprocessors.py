"""The two preprocessors that ``nbgrader_config.py`` names: execution with a secret seed, judging.

They take part in plain ``nbgrader autograde``, in the formgrader and in ``autograder grade``.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Bool

from autograder.cells import grade_id, graded_exercise
from autograder.grading.execution import ENDED, Outcome, Plan, execute
from autograder.grading.source import Source, read_source
from autograder.judge import judge
from course import exercises, responses, verdicts
from course.verdicts import Verdict

_SEED = "course_secret_seed"


class ExecuteSubmission(Execute):
    """Executes a notebook in a forked kernel that knows this run's secret seed.

    A kernel that dies ends the execution, not the grading: what was answered before counts.
    """

    all_cells = Bool(
        False, help="Also execute what the source tags as a demonstration, such as trainings."
    ).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any], *args: Any, **kwargs: Any
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Execute the cells; put the seed into the resources for the judge."""
        plan = plan_for(self, nb, resources)
        outcome = execute(nb, Path(resources["metadata"]["path"]), plan)
        take(outcome, plan.variables, nb, resources)
        return nb, resources


def plan_for(preprocessor: Execute, nb: NotebookNode, resources: Mapping[str, Any]) -> Plan:
    """How a submission is to be executed.

    Args:
        preprocessor: carries the instructor's configuration.
        nb: the submission, sanitized.
        resources: nbgrader's.
    """
    options = {
        name: value
        for name in NotebookClient.class_trait_names(config=True)
        if isinstance(value := getattr(preprocessor, name), bool | int | float | str | list | dict)
    }
    source = _source(preprocessor, resources["nbgrader"])
    skipped = set()
    if not getattr(preprocessor, "all_cells", True):
        skipped = {
            position
            for position, cell in enumerate(nb.cells)
            if cell.cell_type == "code"
            and not grade_id(cell)
            and cell.source in source.demonstrations
        }
    variables = {
        # Nothing downloads while it is being graded, and no grade depends on data.
        "COURSE_SOURCE": os.environ.get("COURSE_SOURCE", "sample"),
        "NBGRADER_EXECUTION": "autograde",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        responses.SEED_VARIABLE: str(secrets.randbits(32)),
    }
    return Plan(options, variables, source.modules, source.variables, frozenset(skipped))


def take(
    outcome: Outcome, variables: Mapping[str, str], nb: NotebookNode, resources: dict[str, Any]
) -> None:
    """Put an execution's outputs into the notebook, and the seed, for the judge, into resources."""
    outcome.put_into(nb)
    resources[_SEED] = int(variables[responses.SEED_VARIABLE])


def _source(preprocessor: Execute, names: Mapping[str, str]) -> Source:
    """The instructor's copy of a submission's notebook."""
    coursedir = preprocessor.parent.parent.coursedir
    folder = coursedir.format_path(coursedir.source_directory, ".", names["assignment"])
    return read_source(Path(folder) / f"{names['notebook']}.ipynb")


class JudgeResponses(NbGraderPreprocessor):
    """Replaces the outputs of every graded cell by the judge's verdict.

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
            course.exercises.UnknownExercise: when a locked cell names no exercise.
        """
        if _SEED not in resources:
            raise RuntimeError(
                "JudgeResponses needs ExecuteSubmission before it: see "
                "c.Autograde.autograde_preprocessors in nbgrader_config.py"
            )
        for cell in nb.cells:
            name = graded_exercise(cell)
            if name is not None:
                exercises.get(name)
                self._judge_cell(cell, name, resources[_SEED])
        return nb, resources

    def _judge_cell(self, cell: NotebookNode, name: str, seed: int) -> None:
        handed_over = [
            data[responses.MIME]
            for output in cell.outputs
            if isinstance(data := output.get("data"), Mapping) and responses.MIME in data
        ]
        if len(handed_over) == 1:
            verdict = judge(name, seed, handed_over[0])
        elif handed_over:
            verdict = Verdict(name, reason=f"{len(handed_over)} responses came back; one is due")
        else:
            verdict = Verdict(name, reason=_why_nothing(cell))
        maximum = float(cell.metadata.nbgrader.points)
        data = {
            "text/plain": repr(verdict.points(maximum)),
            "text/html": verdict.to_html(maximum),
            verdicts.MIME: verdict.to_json() | {"seed": seed},
        }
        if len(handed_over) == 1:
            data[responses.MIME] = handed_over[0]
        cell.outputs = [
            new_output("execute_result", data=data, execution_count=cell.execution_count)
        ]


def _why_nothing(cell: NotebookNode) -> str:
    """Why a graded cell left no response."""
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if not errors:
        return "nothing to judge: the cell handed nothing over"
    error = errors[-1]
    if error.ename == ENDED:
        ended = responses.printable(error.evalue)[:500]
        return f"nothing to judge: {ended}, in this cell or before it"
    if error.ename == "CellTimeoutError":
        return "nothing to judge: the cell reached its time limit"
    stopped = responses.printable(f"{error.ename}: {error.evalue}")[:500]
    reason = f"nothing to judge: the cell stopped with {stopped}"
    if error.ename == "NameError":
        reason += " (is it defined, under the name that the task gives?)"
    return reason
