"""A process that does nothing but judge recorded responses again."""

from __future__ import annotations

import gc
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.errors import CourseError
from autograder.judging.judge import Asked
from autograder.judging.keys import key_of
from autograder.judging.marking import Marking
from autograder.judging.solutions import inputs_fingerprint
from autograder.judging.time_limit import judge_in_time
from selfcheck import Course
from selfcheck.verdicts import Verdict

_THRESHOLDS = 100_000, 50, 100


@dataclass(frozen=True)
class AskedAgain:
    """A recorded response.

    Args:
        cell: the grade_id of its cell.
        asked: what is judged.
        inputs: the fingerprint of the inputs that it was given.
    """

    cell: str
    asked: Asked
    inputs: str


def begin() -> None:
    """Prepare the process."""
    # An interrupt reaches all processes; the one that started this one ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()


def collect_rarely() -> None:
    """Look for garbage more rarely than Python does: it takes a tenth of the time, and responses
    have no cycles."""
    gc.set_threshold(*_THRESHOLDS)


def judge_again(course: Course, responses: Sequence[AskedAgain], marking: Marking) -> list[Verdict]:
    """Judge a notebook's recorded responses.

    Args:
        course: the course of the exercises.
        responses: in the notebook's order.
        marking: how verdicts become points.

    Raises:
        CourseError: when an exercise draws other inputs today.
        Exception: see ``judge_in_time``.
    """
    for one in responses:
        exercise = key_of(course, one.asked.name).exercise
        if one.inputs != inputs_fingerprint(exercise, one.asked.seed):
            raise CourseError(
                f"the inputs of {one.cell} have changed since it was graded: grade it with "
                "`autograder grade --force`"
            )
    return judge_in_time(course, [one.asked for one in responses], marking)
