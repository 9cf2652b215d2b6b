"""check(): an exercise on its published inputs, explained."""

from __future__ import annotations

import os
from typing import Any

from course import exercises, responses
from course.verdicts import Verdict, reach


class CheckFailed(AssertionError):
    """An answer does not hold yet; the message says what was seen and what to look at."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


def check(name: str, obj: Any) -> None:
    """Try an answer on the published inputs and explain the result.

    Args:
        name: the exercise, such as ``"attention.average_attention"``.
        obj: your function or class.

    Raises:
        CheckFailed: when an aspect does not hold. While a notebook is being graded the
            explanation is only shown.
        course.exercises.UnknownExercise: when no exercise has this name.
    """
    verdict = examine(name, obj)
    if verdict.percent == 100:
        print(f"{name}: all {len(verdict.findings)} aspects hold on the published inputs.")
        return
    _show(verdict)
    if responses.SEED_VARIABLE not in os.environ:
        raise CheckFailed(verdict.to_text())


def examine(name: str, obj: Any) -> Verdict:
    """Reach the verdict on the published inputs without showing it."""
    # The sheets of a large exercise take a moment to parse: only who checks reads them.
    from course import answers

    exercise = exercises.get(name)
    seed = answers.PUBLISHED_SEED
    response = responses.respond(exercise, obj, seed)
    expected, mistakes = answers.load(exercise)
    return reach(exercise, seed, responses.read(response, exercise, seed), expected, mistakes)


def _show(verdict: Verdict) -> None:
    """Draw the verdict where there is a notebook to draw it in."""
    from IPython import get_ipython
    from IPython.display import HTML, display

    if get_ipython() is not None:
        display(HTML(verdict.to_html()))
