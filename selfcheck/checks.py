"""check(): an exercise on its published inputs, explained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from selfcheck import responses, sheets
from selfcheck.diagnosis.failures import ExceptionCause
from selfcheck.evidence import Seen
from selfcheck.exercise import Exercise
from selfcheck.explaining import EvaluatedMistakes
from selfcheck.panels import Comparison, first_wrong_matrix, picture
from selfcheck.texts import say
from selfcheck.verdicts import Verdict, evaluate, observe

_WIDTH = 83
"""Maximum line length: `nbgrader validate` truncates longer lines."""


class CheckFailed(AssertionError):
    """An answer doesn't pass yet; the message says what was seen and what to look at."""

    def _render_traceback_(self) -> list[str]:
        # JupyterLab would break long lines inside words.
        lines = f"{type(self).__name__}: {self}".splitlines()
        return ["\n".join(wrap(line, _WIDTH, subsequent_indent="    ")) for line in lines]


def check(
    exercise: Exercise, obj: Any, answers: Path, causes: Sequence[ExceptionCause] = ()
) -> None:
    """Try an answer on the published inputs and show the result.

    Args:
        exercise: what was asked.
        obj: the answer, a function or a class.
        answers: the folder with the course's answer sheets.
        causes: causes of exceptions in the libraries that the course uses.

    Raises:
        CheckFailed: when an aspect fails.
    """
    seen, known = _observed(exercise, obj, answers)
    verdict = evaluate(exercise, seen, known, causes)
    if verdict.percent == 100:
        held = say(
            "all {count} aspects passed on the published inputs.", count=len(verdict.findings)
        )
        print(f"{exercise.name}: {held}")
        return
    _show(verdict, first_wrong_matrix(exercise, seen))
    raise CheckFailed(verdict.to_text())


def _observed(exercise: Exercise, obj: Any, answers: Path) -> tuple[Seen, EvaluatedMistakes]:
    """The results of an answer on the published inputs, and those of known mistakes."""
    seed = sheets.PUBLISHED_SEED
    response = responses.respond(exercise, obj, exercise.cases(seed))
    expected, known = sheets.load(answers, exercise)
    received = responses.read(response, exercise, seed)
    return observe(exercise, seed, received, expected), known


def _show(verdict: Verdict, comparison: Comparison | None) -> None:
    """Display the verdict if this is a notebook."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is not None:
        drawn = picture(comparison) if comparison else ""
        display(HTML(verdict.to_html() + drawn))
