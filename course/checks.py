"""check(): an exercise on its published inputs, explained."""

from __future__ import annotations

import os
from textwrap import wrap
from typing import Any

from course import exercises, responses
from course.exercises import Exercise, Observation
from course.panels import Comparison, compare, picture
from course.texts import say
from course.verdicts import Mistake, Verdict, observe, reach

_WIDTH = 83
"""Characters of a line: `nbgrader validate` cuts off what is longer."""


class CheckFailed(AssertionError):
    """An answer does not hold yet; the message says what was seen and what to look at."""

    def _render_traceback_(self) -> list[str]:
        # JupyterLab would break long lines inside words.
        lines = f"{type(self).__name__}: {self}".splitlines()
        return ["\n".join(wrap(line, _WIDTH, subsequent_indent="    ")) for line in lines]


def check(name: str, obj: Any) -> None:
    """Try an answer on the published inputs and explain the result.

    Args:
        name: the exercise, such as ``"attention.average_attention"``.
        obj: your function or class.

    Raises:
        CheckFailed: when an aspect does not hold.
        course.exercises.UnknownExercise: when no exercise has this name.

    While a notebook is being graded this does nothing: the judge speaks there, on other inputs.
    """
    if responses.INPUTS_VARIABLE in os.environ:
        return
    exercise = exercises.get(name)
    seen, mistakes, pairs = _observed(exercise, obj)
    verdict = reach(exercise, seen, mistakes, pairs)
    if verdict.percent == 100:
        held = say("all {count} aspects hold on the published inputs.", count=len(verdict.findings))
        print(f"{name}: {held}")
        return
    _show(verdict, compare(exercise, seen))
    raise CheckFailed(verdict.to_text())


def examine(name: str, obj: Any) -> Verdict:
    """Reach the verdict on the published inputs without showing it."""
    exercise = exercises.get(name)
    return reach(exercise, *_observed(exercise, obj))


def _observed(
    exercise: Exercise, obj: Any
) -> tuple[dict[str, Observation], list[Mistake], list[Mistake]]:
    """What an answer gives on the published inputs, and what known mistakes give, also in pairs."""
    # The sheets of a large exercise take a moment to parse: only who checks reads them.
    from course import answers

    seed = answers.PUBLISHED_SEED
    response = responses.respond(exercise, obj, exercise.cases(seed))
    expected, *known = answers.load(exercise)
    received = responses.read(response, exercise, seed)
    return observe(exercise, seed, received, expected), *known


def _show(verdict: Verdict, comparison: Comparison | None) -> None:
    """Draw the verdict where there is a notebook to draw it in."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is not None:
        drawn = picture(comparison) if comparison else ""
        display(HTML(verdict.to_html() + drawn))
