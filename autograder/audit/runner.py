"""Answers of our own, run here without a sandbox and judged."""

from __future__ import annotations

import contextlib
import itertools
import re
import resource
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.audit.questions import Lesson, Question
from autograder.judging import solutions
from autograder.judging.judge import judge
from autograder.judging.keys import key_of
from selfcheck import Course, Failure, Observation, responses
from selfcheck.aspects import errors
from selfcheck.verdicts import Verdict, observe

SEEDS = (3, 20, 4_000_000_000)
"""Answers and slips are judged on inputs of the first two of these."""

MORE_SEEDS = range(100, 137)
"""Answers also on the third, and on as many of these as ``_SECONDS`` are enough for: the same
answer must earn the same on each."""

_SECONDS = {False: 0.05, True: 0.2}
"""By whether all slips are judged, which takes long anyway."""

PROCESSOR_LIMIT = 60
_TIME_LIMIT = 600
_MORE_MEMORY = 2 * 1024**3
_STATUS = Path("/proc/self/status")
TOO_LONG = f"it takes more than {PROCESSOR_LIMIT} seconds of the processor, or never ends"


class OutOfTime(BaseException):
    """A slip has made an endless loop; nothing that catches exceptions may catch this."""


@dataclass(frozen=True)
class Judged:
    """The judge's word on an answer.

    Args:
        verdict: what it is.
        error: the largest error of its outputs, in tolerances; infinite where there is no number.
            What is text, or no output at all, counts as 0.
    """

    verdict: Verdict
    error: float


def judged(course: Course, name: str, obj: Any, seed: int) -> Judged:
    """Run an answer and judge it.

    Args:
        course: the course.
        name: the exercise.
        obj: the function or class.
        seed: of the inputs.
    """
    key = key_of(course, name)
    exercise = key.exercise
    response = responses.respond(exercise, obj, exercise.drawn(seed))
    verdict = judge(course, name, seed, response)
    try:
        answers = responses.read(response, exercise, seed)
    except responses.InvalidResponse:  # the verdict says why
        return Judged(verdict, np.inf)
    expected = solutions.expected(exercise, key.solution, seed)
    seen = observe(exercise, seed, answers, expected)
    return Judged(verdict, max(map(_largest_error, seen.values())))


def _largest_error(observation: Observation) -> float:
    if isinstance(observation.received, Failure):
        return np.inf
    largest = 0.0
    for output, tolerance in observation.expected.tolerance.items():
        if output in observation.received:
            off = errors(observation, output, observation.received[output])
            error = np.inf if off is None else float(off.max(initial=0.0))
            # What must be exact has no tolerance.
            largest = max(largest, error / tolerance if tolerance else np.inf if error else 0.0)
    return largest


def seeds(thorough: bool) -> Iterator[int]:
    """The seeds for one answer: two, and more for a while, which models are too slow for."""
    ends = time.process_time() + _SECONDS[thorough]
    yield from SEEDS[:2]
    more = itertools.chain(SEEDS[2:], MORE_SEEDS)
    yield from itertools.takewhile(lambda _: time.process_time() < ends, more)


def elsewhere(
    lesson: Lesson, question: Question, obj: Any, first: Verdict, others: Iterable[int]
) -> str:
    """How other inputs change an answer's points or named mistakes; "" where they don't."""
    for seed in others:
        verdict = judged(lesson.course, question.exercise, obj, seed).verdict
        if verdict.percent != first.percent:
            return f"{first.percent} % on the first seed, {verdict.percent} % on {seed}"
        if set(verdict.mistakes) != set(first.mistakes):
            named = (" and ".join(each.mistakes) or "nothing" for each in (first, verdict))
            return "{} named on the first seed, {} on {}".format(*named, seed)
    return ""


@contextlib.contextmanager
def time_limit(processor: float | None = None) -> Iterator[None]:
    """Raise `OutOfTime` when what happens below takes too many seconds of the processor; that's
    ``PROCESSOR_LIMIT`` if left out."""

    def stop(number: int, frame: object) -> None:
        raise OutOfTime

    # An endless loop needs the processor, however busy the machine is; what only waits doesn't.
    timers = (
        (signal.SIGPROF, signal.ITIMER_PROF, processor or PROCESSOR_LIMIT),
        (signal.SIGALRM, signal.ITIMER_REAL, _TIME_LIMIT),
    )
    before = [signal.signal(number, stop) for number, _, _ in timers]
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


@contextlib.contextmanager
def memory_limit() -> Iterator[None]:
    """Give what happens below a MemoryError when it takes much more memory than is in use."""
    text = _STATUS.read_text("ascii") if _STATUS.exists() else ""
    found = re.search(r"^VmData:\s*(\d+)", text, re.MULTILINE)
    if not found:  # another system than Linux, or a sandbox that does not say
        yield
        return
    in_use = 1024 * int(found[1])
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (in_use + _MORE_MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
