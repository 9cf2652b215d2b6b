"""From an executed notebook to a verdict on every graded cell."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_task

from autograder.cells import grade_id, graded_exercise, is_autograded
from autograder.declaration import course_of
from autograder.execution.job import Plan
from autograder.execution.notebook_client import missing_names
from autograder.execution.outputs import clean, execution_count
from autograder.grading.reasons import causes, why_nothing, with_cause
from autograder.judging.judge import Asked
from autograder.judging.keys import key_of
from autograder.judging.marking import Marking, marking_of
from autograder.judging.time_limit import judge_in_time
from autograder.result import RESULT, CellResult, NotebookResult
from selfcheck import Course, Exercise, responses
from selfcheck.texts import say
from selfcheck.verdicts import Verdict

PLAN = "autograder_plan"
"""Under this name nbgrader's resources carry how a notebook was executed."""


class JudgeResponses(NbGraderPreprocessor):
    """Replaces the outputs of every graded cell by the judge's verdict.

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
        judged = list(judge(nb, plan, result.python, course_of(self), marking_of(self)))
        for cell, of_cell in judged:
            show(cell, of_cell)
        resources[RESULT] = replace(result, cells=tuple(of_cell for _, of_cell in judged))
        return nb, resources


def judge(
    notebook: NotebookNode, plan: Plan, python: str, course: Course, marking: Marking
) -> Iterator[tuple[NotebookNode, CellResult]]:
    """Judge what the graded cells of an executed notebook handed over: each with its result.

    Args:
        notebook: executed.
        plan: how it was.
        python: the version that it was written with, or "".
        course: whose exercises they are.
        marking: how answers are marked.

    Raises:
        UnknownExercise: when a cell names no exercise.
    """
    graded = [cell for cell in notebook.cells if plan.afresh and graded_exercise(cell)]
    handed = [_handed_over(cell) for cell in graded]
    exercises = [graded_exercise(cell) for cell in graded]
    asked = [
        Asked(name, plan.seed, each[0])
        for name, each in zip(exercises, handed, strict=True)
        if len(each) == 1
    ]
    judged = iter(judge_in_time(course, asked, marking))
    for cell, name, each in zip(graded, exercises, handed, strict=True):
        key = key_of(course, name)
        if len(each) == 1:
            verdict = next(judged)
        elif each:
            said = say("{count} responses were sent; exactly one is expected", count=len(each))
            verdict = Verdict(name, reason=said)
        else:
            why = why_nothing(cell, notebook, key.exercise.function, python)
            verdict = Verdict(name, reason=why)
        result = CellResult(
            grade_id(cell),
            float(cell.metadata.nbgrader.points),
            exercise=name,
            verdict=with_cause(verdict, notebook),
            seed=plan.seed,
            inputs=fingerprint(key.exercise, plan.seed),
            decided_by=marking.decided_by(key),
            responses=tuple(each) if len(each) == 1 else (),
        )
        yield cell, result


def _handed_over(cell: NotebookNode) -> list[Any]:
    """The responses among a cell's outputs."""
    found = (output.get("data", {}) for output in clean(cell.outputs))
    return [data[responses.MIME] for data in found if responses.MIME in data]


def show(cell: NotebookNode, result: CellResult) -> None:
    """Put a verdict in the place of a graded cell's outputs."""
    data = {
        "text/plain": repr(result.verdict.points(result.maximum)),
        "text/html": result.verdict.to_html(result.maximum),
    }
    cell.execution_count = count = execution_count(cell.execution_count)
    cell.outputs = [new_output("execute_result", data=data, execution_count=count)]


def with_all_cells(result: NotebookResult, notebook: NotebookNode) -> NotebookResult:
    """A notebook's result with its other graded cells: with tests of their own, graded by hand.

    Args:
        result: with those that were judged.
        notebook: executed.
    """
    judged = {each.cell: each for each in result.cells}
    graded = [cell for cell in notebook.cells if is_grade(cell) or is_task(cell)]
    cells = (judged.get(grade_id(cell)) or _of_own_tests(cell, notebook) for cell in graded)
    return replace(result, cells=tuple(cells))


def _of_own_tests(cell: NotebookNode, notebook: NotebookNode) -> CellResult:
    """A graded cell that the judge has no say in."""
    name, maximum = grade_id(cell), float(cell.metadata.nbgrader.points)
    if not is_autograded(cell):
        return CellResult(name, maximum, by_hand=True)
    return CellResult(name, maximum, failure=next(_failures(cell, notebook), ""))


def _failures(cell: NotebookNode, notebook: NotebookNode) -> Iterator[str]:
    """How a graded cell with tests of its own failed."""
    for output in cell.outputs:
        if output.output_type == "error":
            said = f"{output.ename}: {output.evalue}".strip().splitlines()[0].rstrip(": ")
            failed = f"failed its own tests: {responses.printable(said[:200])}"
            cause = next(causes(missing_names(said), notebook), "")
            yield f"{failed}. {cause}" if cause else failed
    if any(output.get("name") == "stderr" for output in cell.outputs):
        yield "wrote to stderr, perhaps a warning: nbgrader gives nothing for that"


def is_judged_otherwise(result: CellResult, course: Course, marking: Marking) -> bool:
    """Whether other shares or another solution decided a verdict than would today."""
    if not result.decided_by:
        return False
    try:
        return result.decided_by != marking.decided_by(key_of(course, result.exercise))
    except Exception:  # said where its lesson is released or graded
        return False


def fingerprint(exercise: Exercise, seed: int) -> str:
    """Tells the inputs that an exercise draws from a seed from those of another version of it."""
    cases = [
        [case.name, {key: responses.encode(value) for key, value in case.inputs.items()}]
        for case in exercise.drawn(seed)
    ]
    return hashlib.sha256(json.dumps(cases).encode()).hexdigest()
