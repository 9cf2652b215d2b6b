"""The two preprocessors that ``nbgrader_config.py`` names: execution with a secret seed, judging.

They take part in plain ``nbgrader autograde``, in the formgrader and in ``autograder grade``.
"""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Mapping
from typing import Any

from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor

from autograder.cells import graded_exercise
from autograder.judge import judge
from course import exercises, responses, verdicts
from course.verdicts import Verdict

_SEED = "course_secret_seed"
_DIED = "course_kernel_died"


class ExecuteSubmission(Execute):
    """Executes a notebook in a kernel that knows this run's secret seed.

    A kernel that dies ends the execution, not the grading: what was answered before counts.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any], *args: Any, **kwargs: Any
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Execute every cell; put the seed into the resources for the judge."""
        self._seed = resources[_SEED] = secrets.randbits(32)
        try:
            return super().preprocess(nb, resources, *args, **kwargs)
        except DeadKernelError:
            self.log.warning("The kernel died; cells it had not reached stay unanswered.")
            resources[_DIED] = True
            return nb, resources

    def start_new_kernel(self, **kwargs: Any) -> None:
        """Start the kernel with the seed in its environment alone, and without a terminal: what
        matters of its output arrives in the notebook."""
        environment = {
            # Nothing downloads while it is being graded, and no grade depends on data.
            "COURSE_SOURCE": "sample",
            **os.environ,
            responses.SEED_VARIABLE: str(self._seed),
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        super().start_new_kernel(env=environment, **silent, **kwargs)


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
        died = resources.get(_DIED, False)
        for cell in nb.cells:
            name = graded_exercise(cell)
            if name is not None:
                exercises.get(name)
                self._judge_cell(cell, name, resources[_SEED], died)
        return nb, resources

    def _judge_cell(self, cell: NotebookNode, name: str, seed: int, died: bool) -> None:
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
            verdict = Verdict(name, reason=_why_nothing(cell, died))
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


def _why_nothing(cell: NotebookNode, died: bool) -> str:
    """Why a graded cell left no response."""
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if not errors:
        if died:
            return "nothing to judge: the kernel died in this cell or before it"
        return "nothing to judge: the cell handed nothing over"
    error = errors[-1]
    if error.ename == "CellTimeoutError":
        return "nothing to judge: the cell reached its time limit"
    stopped = responses.printable(f"{error.ename}: {error.evalue}")[:500]
    reason = f"nothing to judge: the cell stopped with {stopped}"
    if error.ename == "NameError":
        reason += " (is it defined, under the name that the task gives?)"
    return reason


def from_cell(cell: NotebookNode) -> Verdict | None:
    """The verdict that ``JudgeResponses`` left in a cell, or None."""
    for output in cell.get("outputs", []):
        if verdicts.MIME in output.get("data", {}):
            return Verdict.from_json(output.data[verdicts.MIME])
    return None
