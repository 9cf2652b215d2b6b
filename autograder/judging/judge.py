"""The judge: computes verdicts from responses and the seeds of their inputs."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from threadpoolctl import ThreadpoolController

from autograder.judging import solutions
from autograder.judging.keys import Key, key_of
from autograder.judging.marking import ASPECTS, BY_CAUSE, Marking
from autograder.judging.mistakes import ComputedMistakes, Earlier, KeyFailure
from selfcheck import Course, Expected, Failure, Observation, responses
from selfcheck.evidence import Seen
from selfcheck.explaining import (
    TOGETHER,
    EvaluatedMistake,
    EvaluatedMistakes,
    Loss,
    StoredMistakes,
    explain,
)
from selfcheck.texts import say
from selfcheck.verdicts import Verdict, evaluate, examine, observe

_log = logging.getLogger(__name__)

_threads = ThreadpoolController()


@dataclass(frozen=True)
class Asked:
    """A response to judge.

    Args:
        name: the exercise that the graded cell asks for.
        seed: the seed of the inputs of the student's process.
        response: parsed JSON from that process; nothing in it is trusted.
    """

    name: str
    seed: int
    response: Any


def judge_in_order(
    course: Course, asked: Iterable[Asked], marking: Marking = BY_CAUSE
) -> list[Verdict]:
    """Judge a notebook's responses.

    A mistake that cost points in an earlier answer costs nothing in a later one that calls it.

    Args:
        course: the course of the exercises.
        asked: in the notebook's order.
        marking: how verdicts become points.

    Raises:
        Exception: see ``judge``.
    """
    verdicts: list[Verdict] = []
    paid: list[Earlier] = []
    for one in asked:
        verdict = judge(course, one.name, one.seed, one.response, marking, paid)
        verdicts.append(verdict)
        if verdict.losses:
            key = key_of(course, one.name)
            names = {name for mistake in verdict.mistakes for name in mistake.split(TOGETHER)}
            paid += [Earlier(key, key.find(name)) for name in sorted(names)]
    return verdicts


# Threads cost more than they save on small matrices: four times as much while kernels are busy.
@_threads.wrap(limits=1, user_api="blas")
def judge(
    course: Course,
    name: str,
    seed: int,
    response: Any,
    marking: Marking = BY_CAUSE,
    paid: Sequence[Earlier] = (),
) -> Verdict:
    """Judge a student's response.

    Everything that doesn't depend on the response is computed first, and errors in it are the
    grader's. Errors while the response is examined are the response's fault, unless responses that
    are known to be right and wrong can't be examined either.

    Args:
        course: the course of the exercise.
        name: the exercise that the graded cell asks for.
        seed: the seed of the inputs of the student's process.
        response: parsed JSON from that process; nothing in it is trusted.
        marking: how a verdict becomes points.
        paid: mistakes that already cost points in earlier answers of the notebook.

    Returns:
        A verdict; a response that can't be read earns nothing, and its verdict says why.

    Raises:
        UnknownExercise: when no exercise has this name.
        Exception: when the exercise, its solution, a known mistake or the judge itself fails, or
            memory runs out.
    """
    key = key_of(course, name)
    expected = solutions.expected(key.exercise, key.solution, seed)
    earlier = [one for one in paid if one.reaches(key)]
    on_top = ComputedMistakes(key, seed, marking, earlier) if earlier else None
    known = ComputedMistakes(key, seed, marking)
    judging = _Judging(course, key, seed, marking, expected, known, on_top)
    verdict = judging.examine(response)
    if isinstance(verdict, Exception):
        for ours in _known_responses(name, expected, judging.known.single):
            if isinstance(failure := judging.examine(ours), Exception):
                raise failure
        verdict = judging.examine(response)  # it trips again if it is the response's
    if isinstance(verdict, Exception):
        _log.warning("a response to %s could not be examined", name, exc_info=verdict)
        failed = say(
            "unreadable response: reading it failed with {error}", error=type(verdict).__name__
        )
        return Verdict(name, reason=failed)
    return verdict


@dataclass(frozen=True)
class _Judging:
    """The reference for judging a response to an exercise.

    Args:
        course, key, seed: the course, the exercise's key, and the seed of its inputs.
        marking: how a verdict becomes points.
        expected: the expected outputs by case name.
        known: the known mistakes.
        on_top: the known mistakes on top of earlier exercises' that already cost points; None if
            there are none.
    """

    course: Course
    key: Key
    seed: int
    marking: Marking
    expected: Mapping[str, Expected]
    known: ComputedMistakes
    on_top: ComputedMistakes | None

    def examine(self, given: Any) -> Verdict | Exception:
        """The verdict, or the error that the response caused.

        Raises:
            MemoryError: a response is small, so the machine itself is out of memory.
            Exception: when a known mistake fails.
        """
        exercise = self.key.exercise
        try:
            answers = responses.read(given, exercise, self.seed)
            seen = observe(exercise, self.seed, answers, self.expected)
            verdict = self._verdict(seen)
            return replace(verdict, least=0) if self.marking.by == ASPECTS else verdict
        except responses.InvalidResponse as error:
            return Verdict(exercise.name, reason=str(error))
        except KeyFailure as error:
            raise (error.__cause__ or error) from None
        except MemoryError:
            raise
        except Exception as error:
            return error

    def _verdict(self, seen: Seen) -> Verdict:
        """The better one of two: without and with the mistakes that already cost points."""
        known: EvaluatedMistakes = self.known
        on_top: EvaluatedMistakes | None = self.on_top
        if on_top is None or not seen.wrong:
            return self._evaluated(seen, known)
        alone = [StoredMistakes(each.single) for each in (on_top, known)]
        if any((found := explain(seen, each)) and found.full for each in alone):
            on_top, known = alone  # several at once explain it no better
        verdict = self._evaluated(seen, on_top)
        verdict = replace(verdict, losses=self._capped_losses(verdict, seen))
        if verdict.percent == 100:
            return verdict
        return max(self._evaluated(seen, known), verdict, key=_how_much_is_known)

    def _evaluated(self, seen: Seen, known: EvaluatedMistakes) -> Verdict:
        return evaluate(self.key.exercise, seen, known, self.course.exception_causes)

    def _capped_losses(self, verdict: Verdict, seen: Mapping[str, Observation]) -> tuple[Loss, ...]:
        """The losses, capped at the cost of the same mistakes without the earlier ones, with which
        the failed aspects may be worth less."""
        if not verdict.losses or not verdict.mistakes:
            return verdict.losses
        outputs = self.known.outputs_without_earlier(verdict.mistakes[0].split(TOGETHER))
        alone = {
            name: replace(one, received=Failure("ValueError", "") if given is None else given)
            for name, one in seen.items()
            for given in [outputs[name]]
        }
        findings = examine(self.key.exercise, alone)
        left = sum(finding.percent for finding in findings if not finding.passed)
        capped = []
        for loss in verdict.losses:
            percent = min(loss.percent, left)
            left -= percent
            if percent or loss.earlier:
                capped.append(replace(loss, percent=percent))
        return tuple(capped)


def _how_much_is_known(verdict: Verdict) -> tuple[bool, int, bool]:
    """The sort key for choosing between two verdicts on the same answer: the larger one wins."""
    return bool(verdict.losses), verdict.percent, bool(verdict.mistakes)


def _known_responses(
    name: str, expected: Mapping[str, Expected], mistakes: Sequence[EvaluatedMistake]
) -> Iterator[dict[str, Any]]:
    """A right response; one whose cases have the right outputs of the next case, which no one or
    two known mistakes explain; and one with a known mistake."""
    right = {case: entry.outputs for case, entry in expected.items()}
    yield response_of(name, right)
    cases = list(right)
    following = zip(cases, [*cases[1:], cases[0]], strict=True)
    yield response_of(name, {case: right[after] for case, after in following})
    for mistake in mistakes[:1]:
        yield response_of(name, right | dict(mistake.outputs))


def response_of(
    name: str, outputs: Mapping[str, Mapping[str, Any] | None], message: str = ""
) -> dict[str, Any]:
    """A kernel's response, as JSON.

    Args:
        name: the exercise's name.
        outputs: by case name; None for a call that fails.
        message: the message of the ValueError with which it fails.
    """
    failure = {"failure": {"kind": "ValueError", "message": message}}
    return {
        "exercise": name,
        "cases": {
            case: failure
            if values is None
            else {"outputs": {output: responses.encode(value) for output, value in values.items()}}
            for case, values in outputs.items()
        },
    }
