"""Statistics of a graded lesson: totals, exercises, failures, and grading times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.audit.reliability import Reliability
from autograder.cells import title
from autograder.grading.results import Score
from autograder.reports.lesson_results import LessonResults, SubmissionResult
from selfcheck.texts import say
from selfcheck.verdicts import NOT_ANSWERED, Verdict

PHASES = {
    "prepare": "prepare",
    "start": "start and end the kernel",
    "cells": "cells (wall clock)",
    "record": "judge and record",
    "cpu": "kernel CPU time",
}
"""The phases of grading: the key in ``SubmissionRow.recorded``, and the name for people."""


@dataclass(frozen=True)
class Distribution:
    """The distribution of some numbers.

    Args:
        count: how many there are, at least one.
        mean, lowest, lower, median, upper, highest: their statistics, with the quartiles.
    """

    count: int
    mean: float
    lowest: float
    lower: float
    median: float
    upper: float
    highest: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Distribution:
        """Compute the statistics; quartiles between two numbers are interpolated.

        Example:
            >>> totals = Distribution.of([1.0, 2.0, 4.0])
            >>> totals.lower, totals.median, totals.upper
            (1.5, 2.0, 3.0)
        """
        points = np.quantile(numbers, [0, 0.25, 0.5, 0.75, 1]).tolist()
        return cls(len(numbers), float(np.mean(numbers)), *points)


@dataclass(frozen=True)
class Tally:
    """Something that several students have in common.

    Args:
        name: its name.
        count: the number of students.
        text: the text that they read about it.
    """

    name: str
    count: int
    text: str = ""


@dataclass(frozen=True)
class AspectStatistics:
    """One aspect of an exercise.

    Args:
        title: the condition.
        percent: its share of the points.
        share: the share of students who passed it, from 0 to 1.
    """

    title: str
    percent: int
    share: float


@dataclass(frozen=True)
class ExerciseStatistics:
    """A class's results in one graded cell.

    Args:
        cell: its name.
        title: its name for people.
        maximum: the maximum points.
        waiting: the number of answers that need manual grading. Until it's 0, there are no
            statistics.
        mean: mean points.
        difficulty: mean share of the points, from 0 (nobody earned any) to 1.
        discrimination: Pearson's correlation between the points here and the sum of the points in
            all other exercises that are graded; None for fewer than three students, or if either
            is the same for everybody.
        full: share of the students who earned all points.
        unanswered: share of the students who left it unanswered; None if there is no verdict.
        aspects: in the order in which they are judged.
        mistakes: known mistakes, the most common first.
        facts: observations on answers that no known mistake explains.
        reasons: why there was nothing to judge.
        unexplained: the number of students who lost points for none of these.
        unforeseen: the number of wrong answers that no known mistake explains.
        reliability: how often the last audit found the judge wrong; None if there was none.
    """

    cell: str
    title: str
    maximum: float
    waiting: int
    mean: float | None
    difficulty: float | None
    discrimination: float | None
    full: float | None
    unanswered: float | None
    aspects: tuple[AspectStatistics, ...]
    mistakes: tuple[Tally, ...]
    facts: tuple[Tally, ...]
    reasons: tuple[Tally, ...]
    unexplained: int
    unforeseen: int
    reliability: Reliability | None


@dataclass(frozen=True)
class FailedSubmissions:
    """Submissions in which something went wrong, not merely a wrong answer.

    Args:
        what: "not graded", or the titles of the exercises.
        reason: in words.
        students: the students' ids.
    """

    what: str
    reason: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class LessonSummary:
    """All statistics of a lesson.

    Args:
        results: the results that it's computed from.
        totals: the totals of the graded submissions.
        maximum: the maximum total.
        exercises: in the notebook's order.
        failures: not graded, then with exercises that could not be judged, the most common first.
        slowest: by wall-clock time, the slowest first.
        phases: by the phase's name, its seconds; empty if they weren't measured.
    """

    results: LessonResults
    totals: Distribution
    maximum: float
    exercises: tuple[ExerciseStatistics, ...]
    failures: tuple[FailedSubmissions, ...]
    slowest: tuple[SubmissionResult, ...]
    phases: dict[str, Distribution]

    @property
    def waiting(self) -> int:
        """The number of submissions that need manual grading."""
        return sum(each.by_hand > 0 for each in self.results.graded)

    @property
    def mistakes(self) -> list[tuple[ExerciseStatistics, Tally]]:
        """The mistakes in all exercises, the most common first."""
        found = [(exercise, tally) for exercise in self.exercises for tally in exercise.mistakes]
        return sorted(found, key=lambda pair: -pair[1].count)

    @property
    def unforeseen(self) -> str:
        """How many answers no known mistake explains, and which command looks at them; "" if there
        are none."""
        count = sum(exercise.unforeseen for exercise in self.exercises)
        if not count:
            return ""
        answers = "1 wrong answer" if count == 1 else f"{count} wrong answers"
        lesson = self.results.lesson
        return f"No known mistake explains {answers}: see `autograder mistakes {lesson}`."


def summarize(results: LessonResults) -> LessonSummary:
    """Count.

    Args:
        results: with at least one graded submission.
    """
    graded = results.graded
    timed = [each for each in graded if each.seconds is not None]
    by_time = sorted(timed, key=lambda each: each.seconds or 0.0, reverse=True)
    return LessonSummary(
        results,
        totals=Distribution.of([each.total for each in graded]),
        maximum=max(each.maximum for each in graded),
        exercises=tuple(_exercises(results)),
        failures=tuple(_failures(results)),
        slowest=tuple(by_time[:_SLOWEST]),
        phases={
            name: Distribution.of(seconds)
            for phase, name in PHASES.items()
            if (seconds := [s.row.recorded[phase] for s in timed if phase in s.row.recorded])
        },
    )


_SLOWEST = 10


def discrimination(points: np.ndarray, others: np.ndarray) -> float | None:
    """The corrected correlation of an exercise with the rest.

    Args:
        points: (students,), in the exercise.
        others: (students,), in all other exercises together.

    Example:
        >>> round(discrimination(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0])), 3)
        0.866
    """
    if len(points) < 3 or np.ptp(points) < 1e-9 or np.ptp(others) < 1e-9:
        return None
    return float(np.corrcoef(points, others)[0, 1])


def _exercises(results: LessonResults) -> Iterable[ExerciseStatistics]:
    by_cell = {
        cell: [score for each in results.graded if (score := each.score(cell))]
        for cell in results.cells
    }
    complete = {cell for cell, scores in by_cell.items() if all(s.settled for s in scores)}
    for cell, scores in by_cell.items():
        pairs = np.array(
            [
                (score.points, _points(each, complete - {cell}))
                for each in results.graded
                if (score := each.score(cell))
            ]
        )
        yield _exercise(cell, scores, pairs, results.reliability)


def _points(submission: SubmissionResult, cells: set[str]) -> float:
    return sum(score.points for score in submission.row.scores if score.cell in cells)


def _exercise(
    cell: str,
    scores: Sequence[Score],
    pairs: np.ndarray,
    reliability: Mapping[str, Reliability],
) -> ExerciseStatistics:
    maximum = max(score.maximum for score in scores)
    waiting = sum(score.manual for score in scores)
    verdicts = [score.verdict for score in scores if score.verdict]
    points, others = pairs.T
    known = not waiting
    worth = known and maximum > 0
    unanswered = [verdict.reason == NOT_ANSWERED for verdict in verdicts]
    return ExerciseStatistics(
        cell=cell,
        title=title(cell),
        maximum=maximum,
        waiting=waiting,
        mean=float(points.mean()) if known else None,
        difficulty=float(points.mean() / maximum) if worth else None,
        discrimination=discrimination(points, others) if known else None,
        full=float(np.mean(points >= maximum - 1e-9)) if worth else None,
        unanswered=float(np.mean(unanswered)) if unanswered else None,
        aspects=tuple(_aspects(verdicts)),
        mistakes=_tallied(pair for verdict in verdicts for pair in _mistakes(verdict)),
        facts=_tallied((v.relation, v.fact) for v in verdicts if v.relation),
        reasons=_tallied((v.reason, "") for v in verdicts if v.reason),
        unexplained=sum(
            verdict.percent < 100 and not (verdict.mistakes or verdict.relation or verdict.reason)
            for verdict in verdicts
        ),
        unforeseen=sum(verdict.is_unexplained for verdict in verdicts),
        reliability=reliability.get(verdicts[0].exercise) if verdicts else None,
    )


def _aspects(verdicts: Sequence[Verdict]) -> Iterable[AspectStatistics]:
    """If there was nothing to judge, no aspect passed."""
    percents = {one.title: one.percent for verdict in verdicts for one in verdict.findings}
    held = Counter(one.title for verdict in verdicts for one in verdict.findings if one.passed)
    for name, percent in percents.items():
        yield AspectStatistics(say(name), percent, held[name] / len(verdicts))


def _mistakes(verdict: Verdict) -> Iterable[tuple[str, str]]:
    """The mistakes that a verdict names, each with its hint."""
    return zip(verdict.mistakes, verdict.hints, strict=False)


def _tallied(found: Iterable[tuple[str, str]]) -> tuple[Tally, ...]:
    """Count names, the most common first, each with its most common text."""
    texts: dict[str, Counter[str]] = {}
    for name, text in found:
        texts.setdefault(name, Counter())[text] += 1
    tallies = [
        Tally(name, counter.total(), counter.most_common(1)[0][0])
        for name, counter in texts.items()
    ]
    return tuple(sorted(tallies, key=lambda tally: (-tally.count, tally.name)))


def _failures(results: LessonResults) -> list[FailedSubmissions]:
    students: dict[tuple[str, str], list[str]] = {}
    for each in results.submissions:
        failed = {each.row.problem: [_NOT_GRADED]} if each.row.problem else {}
        for score in each.row.scores:
            if score.verdict and score.verdict.reason not in ("", NOT_ANSWERED):
                failed.setdefault(score.verdict.reason, []).append(title(score.cell))
        for reason, names in failed.items():
            students.setdefault((", ".join(names), reason), []).append(each.student)
    failures = [FailedSubmissions(*key, tuple(names)) for key, names in students.items()]
    return sorted(failures, key=lambda one: (one.what != _NOT_GRADED, -len(one.students)))


_NOT_GRADED = "not graded"
