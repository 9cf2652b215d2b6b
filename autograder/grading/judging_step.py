"""From an executed notebook to a verdict on every graded cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_task

from autograder.cells import graded_exercise, is_autograded
from autograder.declaration import course_of
from autograder.execution.job import Plan
from autograder.execution.notebook_client import missing_names
from autograder.execution.outputs import clean, execution_count
from autograder.grading.reasons import causes, why_nothing, with_cause
from autograder.judging.judge import Asked
from autograder.judging.keys import key_of
from autograder.judging.marking import Marking, marking_of
from autograder.judging.solutions import inputs_fingerprint
from autograder.judging.time_limit import judge_in_time
from autograder.record import RESULT, CellResult, Judgement, NotebookResult
from selfcheck import Course, responses
from selfcheck.texts import say
from selfcheck.verdicts import Verdict

PLAN = "autograder_plan"
"""The key in nbgrader's resources for the plan by which a notebook was executed."""


class JudgeResponses(NbGraderPreprocessor):
    """Replaces the outputs of every graded cell with the judge's verdict.

    What a cell shows then is one ``execute_result``: the points as text, which nbgrader records,
    and a table as HTML. The verdict itself goes into the record.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Judge the responses in an executed notebook.

        Raises:
            RuntimeError: when ``ExecuteSubmission`` is not among the preprocessors before it.
            UnknownExercise: when a locked cell names no exercise.
        """
        if PLAN not in resources:
            raise RuntimeError(
                "JudgeResponses needs ExecuteSubmission before it: see "
                "c.Autograde.autograde_preprocessors in nbgrader_config.py"
            )
        plan, result = resources[PLAN], resources[RESULT]
        cells = tuple(judge_notebook(nb, plan, result.python, course_of(self), marking_of(self)))
        resources[RESULT] = replace(result, cells=cells)
        return nb, resources


def judge_notebook(
    notebook: NotebookNode, plan: Plan, python: str, course: Course, marking: Marking
) -> Iterator[CellResult]:
    """Judge what the graded cells of an executed notebook handed over, and have them show it.

    Args:
        notebook: executed.
        plan: how it was.
        python: the version that it was written with, or "".
        course: the course of the exercises.
        marking: how answers are marked.

    Raises:
        UnknownExercise: when a cell names no exercise.
    """
    asking = [] if not plan.afresh else list(_asking(notebook))
    asked = [Asked(name, plan.seed, handed[0]) for _, name, handed in asking if len(handed) == 1]
    answers = iter(judge_in_time(course, asked, marking))
    results = []
    for cell, name, handed in asking:
        key = key_of(course, name)
        if len(handed) == 1:
            verdict = next(answers)
        elif handed:
            said = say("{count} responses were sent; exactly one is expected", count=len(handed))
            verdict = Verdict(name, reason=said)
        else:
            why = why_nothing(cell, notebook, key.exercise.function, python)
            verdict = Verdict(name, reason=why)
        judged = Judgement(
            name,
            with_cause(verdict, notebook),
            plan.seed,
            inputs_fingerprint(key.exercise, plan.seed),
            marking.decided_by(key),
            tuple(handed) if len(handed) == 1 else (),
        )
        results.append((cell, judged))
    # Only now, as a reason may be an error that another cell shows.
    for cell, judged in results:
        maximum = float(cell.metadata.nbgrader.points)
        show_verdict(cell, judged.verdict, maximum)
        yield CellResult(cell.metadata.nbgrader.grade_id, maximum, judged=judged)


def _asking(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, str, list[Any]]]:
    """The cells that ask the judge, each with its exercise and with the responses in it."""
    for cell in notebook.cells:
        if name := graded_exercise(cell):
            found = (output.get("data", {}) for output in clean(cell.outputs))
            yield cell, name, [data[responses.MIME] for data in found if responses.MIME in data]


def show_verdict(cell: NotebookNode, verdict: Verdict, maximum: float) -> None:
    """Replace a graded cell's outputs with a verdict.

    Args:
        cell: the cell.
        verdict: the judge's.
        maximum: the maximum points.
    """
    data = {"text/plain": repr(verdict.points(maximum)), "text/html": verdict.to_html(maximum)}
    cell.execution_count = count = execution_count(cell.execution_count)
    cell.outputs = [new_output("execute_result", data=data, execution_count=count)]


def with_other_graded_cells(result: NotebookResult, notebook: NotebookNode) -> NotebookResult:
    """A notebook's result with its other graded cells: with tests of their own, graded by hand.

    Args:
        result: with those that were judged.
        notebook: executed.
    """
    judged = {each.cell: each for each in result.cells}
    graded = [cell for cell in notebook.cells if is_grade(cell) or is_task(cell)]
    cells = []
    for cell in graded:
        name, maximum = cell.metadata.nbgrader.grade_id, float(cell.metadata.nbgrader.points)
        if name in judged:
            cells.append(judged[name])
        elif is_autograded(cell):
            failure = next(_failures(cell, notebook), "")
            cells.append(CellResult(name, maximum, failure=failure))
        else:
            cells.append(CellResult(name, maximum, by_hand=True))
    return replace(result, cells=tuple(cells))


def _failures(cell: NotebookNode, notebook: NotebookNode) -> Iterator[str]:
    """How a graded cell with tests of its own failed."""
    for output in cell.outputs:
        if output.output_type == "error":
            said = f"{output.ename}: {output.evalue}".strip().splitlines()[0].rstrip(": ")
            failed = f"failed its own tests: {responses.printable(said[:200])}"
            cause = next(causes(missing_names(said), notebook), "")
            yield f"{failed}. {cause}" if cause else failed
    if any(output.get("name") == "stderr" for output in cell.outputs):
        yield "wrote to stderr, perhaps a warning: nbgrader gives no points for that"


def is_judged_otherwise(judged: Judgement | None, course: Course, marking: Marking) -> bool:
    """Whether shares or the solution have changed since a verdict."""
    if not judged or not judged.decided_by:
        return False
    try:
        return judged.decided_by != marking.decided_by(key_of(course, judged.exercise))
    except Exception:  # reported when its lesson is released or graded
        return False
