"""The results of an audit of the judge, per exercise and in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from autograder.audit import pairs, trivial
from autograder.audit.questions import Question
from autograder.audit.reliability import Reliability
from selfcheck import Course

ENOUGH_HINTS = 0.95
"""The minimum share of wrong answers that must get the hint that names their cause."""


@dataclass
class Audit:
    """The result for one exercise.

    Args:
        question: the exercise.
        right, wrong, mutants: their numbers.
        rejected: right answers that lost points, and why.
        accepted: wrong answers that lost none.
        misjudged: wrong answers that fail in different aspects than their file states.
        by_seed: answers and mutants whose points depend on the seed.
        named: wrong answers whose hint is the stated one.
        unnamed: those with a different hint, or without one.
        misled: those that got the hint of a mistake other than the stated one.
        passed: mutants that lost no points: their answer and line, and their names.
        equivalent: the names of mutants that are listed as making no difference.
        every_mutant: whether all mutants were judged, even if the key asks for a sample.
        unsound: what is wrong with the known mistakes, and with the lesson's own answer.
        largest_right: the largest error of a right answer, in tolerances.
        trivial: the percentage that each answer without work earns.
        pairs: pairs of known mistakes, and whether they are recognized as two.
        smallest_wrong: the smallest error of a wrong answer whose numbers are wrong; infinite where
            they all have another shape, aren't numbers, or must be exact.
    """

    question: Question
    right: int = 0
    wrong: int = 0
    mutants: int = 0
    rejected: list[str] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)
    misjudged: list[str] = field(default_factory=list)
    by_seed: list[str] = field(default_factory=list)
    named: int = 0
    unnamed: list[str] = field(default_factory=list)
    misled: list[str] = field(default_factory=list)
    passed: list[tuple[str, str]] = field(default_factory=list)
    equivalent: frozenset[str] = frozenset()
    every_mutant: bool = False
    unsound: list[str] = field(default_factory=list)
    trivial: list[tuple[str, int]] = field(default_factory=list)
    pairs: list[tuple[str, bool]] = field(default_factory=list)
    largest_right: float = 0.0
    smallest_wrong: float = np.inf

    def row(self) -> tuple[str, ...]:
        """For a table."""
        numbers = np.isfinite(self.smallest_wrong) or self.largest_right > 0
        return (
            self.question.exercise,
            f"{self.right - len(self.rejected)} of {self.right}",
            f"{self.wrong - len(self.accepted)} of {self.wrong}",
            f"{self.mutants - len(self.passed)} of {self.mutants - self.listed}",
            f"{self.named} of {self.wrong}",
            f"{max((percent for _, percent in self.trivial), default=0)} %",
            f"{sum(both for _, both in self.pairs)} of {len(self.pairs)}",
            f"{self.largest_right:.2g}" if numbers else "-",
            f"{self.smallest_wrong:.2g}" if np.isfinite(self.smallest_wrong) else "-",
            f"{100 * self.reliability.most:.1f} %",
        )

    def __iadd__(self, other: Audit) -> Audit:
        """Add the result for another part of the same exercise's answers."""
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, frozenset):
                setattr(self, one.name, mine | theirs)
            elif isinstance(mine, int | list) and not isinstance(mine, bool):
                setattr(self, one.name, mine + theirs)
        self.largest_right = max(self.largest_right, other.largest_right)
        self.smallest_wrong = min(self.smallest_wrong, other.smallest_wrong)
        return self

    @property
    def reliability(self) -> Reliability:
        """How often the judge was wrong."""
        errors = len(self.rejected) + len(self.accepted) + len(self.survived)
        return Reliability(self.right + self.wrong + self.mutants - self.listed, errors)

    @property
    def survived(self) -> list[tuple[str, str]]:
        """Mutants that passed but aren't listed as making no difference."""
        return [mutant for mutant in self.passed if mutant[1] not in self.equivalent]

    @property
    def outdated(self) -> list[str]:
        """Mutants that are listed as making no difference, but don't exist or don't pass."""
        if not self.every_mutant:
            return []
        return sorted(self.equivalent - {mutant for _, mutant in self.passed})

    @property
    def listed(self) -> int:
        """The number of mutants that passed and are listed as making no difference."""
        return len(self.passed) - len(self.survived)

    @property
    def problems(self) -> list[str]:
        """Everything that must be fixed."""
        found = {
            "right, but rejected": self.rejected,
            "wrong, but accepted": self.accepted,
            "not as stated": self.misjudged,
            "not the same on every seed": self.by_seed,
            "a false hint": self.misled,
            "a mutant that passes": map(", ".join, self.survived),
            "no such mutant, or it does not pass": self.outdated,
            "the key": self.unsound,
            "more than a guess is worth": (
                f"{what} earns {percent} %"
                for what, percent in self.trivial
                if percent > trivial.MOST
            ),
        }
        return [f"{what}: {each}" for what, several in found.items() for each in several]


@dataclass(frozen=True)
class AuditSummary:
    """The results for several exercises, in the order of the lessons."""

    audits: Sequence[Audit]

    @classmethod
    def of(cls, course: Course, audits: Iterable[Audit]) -> AuditSummary:
        """Put a course's audits in order."""
        order = course.names()
        return cls(sorted(audits, key=lambda one: order.index(one.question.exercise)))

    @property
    def holds(self) -> bool:
        """Whether the judge was never wrong, nearly every hint was right, and two mistakes were
        nearly always recognized as two."""
        return (
            not any(one.problems for one in self.audits)
            and self._hints >= ENOUGH_HINTS
            and self._pairs >= pairs.LEAST
        )

    @property
    def _hints(self) -> float:
        wrong = sum(one.wrong for one in self.audits)
        return sum(one.named for one in self.audits) / wrong if wrong else 1.0

    @property
    def _pairs(self) -> float:
        marked = [both for one in self.audits for _, both in one.pairs]
        return sum(marked) / len(marked) if marked else 1.0

    @property
    def _trivial(self) -> float:
        earned = [percent for one in self.audits for _, percent in one.trivial]
        return sum(earned) / len(earned) if earned else 0.0

    @property
    def sentence(self) -> str:
        """Everything in one line."""

        def total(name: str) -> int:
            values = (getattr(one, name) for one in self.audits)
            return sum(value if isinstance(value, int) else len(value) for value in values)

        return (
            f"{total('accepted')} of {total('wrong')} wrong answers accepted, "
            f"{total('rejected')} of {total('right')} right answers rejected, "
            f"{total('survived')} of {total('mutants') - total('listed')} mutants "
            f"passed ({total('listed')} more are listed as making no difference); "
            f"{total('by_seed')} marked by luck, {total('misled')} misled; "
            f"{100 * self._hints:.1f} % of the wrong answers got the hint that names their cause, "
            f"{100 * self._pairs:.1f} % of {total('pairs')} pairs of known mistakes were marked as "
            f"two; the {total('trivial')} answers without work earned {self._trivial:.1f} % on "
            "average."
        )
