"""Run our own answers without a sandbox, and judge them."""

from __future__ import annotations

import contextlib
import itertools
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.audit.questions import LessonQuestions, Question
from autograder.judging import solutions
from autograder.judging.judge import Asked, judge
from autograder.judging.keys import key_of
from selfcheck import Course, Failure, Observation, responses
from selfcheck.aspects import absolute_errors
from selfcheck.verdicts import Verdict, observe

SEEDS = (3, 20, 4_000_000_000)
"""The seeds: answers and mutants are judged on inputs of the first two."""

MORE_SEEDS = range(100, 137)
"""Answers are also judged on the third, and on as many of these as ``_SECONDS`` allow: an answer
must earn the same on each."""

_SECONDS = {False: 0.05, True: 0.2}
"""The seconds for an answer's seeds, by whether all mutants are judged, which takes long anyway."""

PROCESSOR_LIMIT = 60
_TIME_LIMIT = 600
MORE_MEMORY = 2 * 1024**3
"""What a mutant may take, in bytes."""

TOO_LONG = f"it takes more than {PROCESSOR_LIMIT} seconds of CPU time, or never ends"


class OutOfTime(BaseException):
    """A mutant has made an endless loop. Code that catches exceptions must not catch this."""


@dataclass(frozen=True)
class Judged:
    """The result of judging an answer.

    Args:
        verdict: the verdict.
        error: the largest error of its outputs, in tolerances; infinite if there is no number.
            Text, or no output at all, counts as 0.
    """

    verdict: Verdict
    error: float


def run(course: Course, name: str, obj: Any, seed: int) -> Asked:
    """Run an answer.

    Args:
        course: the course.
        name: the exercise.
        obj: the function or class.
        seed: of the inputs.
    """
    exercise = course.get(name)
    return Asked(name, seed, responses.respond(exercise, obj, exercise.drawn(seed)))


def run_and_judge(course: Course, name: str, obj: Any, seed: int) -> Judged:
    """Run an answer, see ``run``, and judge it."""
    return judged(course, run(course, name, obj, seed))


def judged(course: Course, asked: Asked) -> Judged:
    """Judge an answer's response."""
    name, seed, response = asked.name, asked.seed, asked.response
    key = key_of(course, name)
    exercise = key.exercise
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
            off = absolute_errors(observation, output, observation.received[output])
            error = np.inf if off is None else float(off.max(initial=0.0))
            # Exact outputs have no tolerance.
            largest = max(largest, error / tolerance if tolerance else np.inf if error else 0.0)
    return largest


def seeds(thorough: bool) -> Iterator[int]:
    """The seeds for one answer: two, then more until time is up, which for models is at once."""
    ends = time.process_time() + _SECONDS[thorough]
    yield from SEEDS[:2]
    more = itertools.chain(SEEDS[2:], MORE_SEEDS)
    yield from itertools.takewhile(lambda _: time.process_time() < ends, more)


def elsewhere(
    lesson: LessonQuestions, question: Question, obj: Any, first: Verdict, others: Iterable[int]
) -> str:
    """How different inputs change an answer's points or named mistakes; "" if they don't."""
    for seed in others:
        verdict = run_and_judge(lesson.course, question.exercise, obj, seed).verdict
        if verdict.percent != first.percent:
            return f"{first.percent} % on the first seed, {verdict.percent} % on {seed}"
        if set(verdict.mistakes) != set(first.mistakes):
            named = (" and ".join(each.mistakes) or "nothing" for each in (first, verdict))
            return "{} named on the first seed, {} on {}".format(*named, seed)
    return ""


@contextlib.contextmanager
def time_limit(processor: float | None = None) -> Iterator[None]:
    """Raise `OutOfTime` when the ``with`` block takes too much CPU time, in seconds; the default is
    ``PROCESSOR_LIMIT``."""

    def stop(number: int, frame: object) -> None:
        raise OutOfTime

    # An endless loop uses CPU time however busy the machine is; waiting doesn't.
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
