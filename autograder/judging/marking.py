"""How verdicts become points: the cost of causes, and whether causes or aspects decide."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache

from traitlets import Dict, Enum, TraitError
from traitlets.config import Configurable, LoggingConfigurable

from autograder.judging import solutions
from autograder.judging.keys import Cost, Key, KnownMistake
from selfcheck.explaining import Loss

CAUSES, ASPECTS = "causes", "aspects"

DEFAULTS = {Cost.SLIP.value: 15, Cost.IDEA.value: 30, Cost.PART.value: 40}
"""Percent of an exercise's points."""


class MarkingError(ValueError):
    """An invalid cost; the message says which one, and what is valid."""


@dataclass(frozen=True)
class Marking:
    """How verdicts become points.

    Args:
        by: ``CAUSES``: if known mistakes explain everything, each one costs its price, once.
            ``ASPECTS``: every aspect that fails costs its share.
        costs: percent by kind of mistake, and by ``exercise.mistake`` for single ones.
    """

    by: str = CAUSES
    costs: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kinds = ", ".join(map(repr, DEFAULTS))
        for name, percent in self.costs.items():
            if name not in DEFAULTS and name.count(".") != 2:
                raise MarkingError(
                    f"c.Judge.costs has {name!r}: name a kind of mistake ({kinds}), or one mistake "
                    "as 'topic.exercise.mistake'"
                )
            if type(percent) is not int or not 1 <= percent <= 100:
                raise MarkingError(
                    f"c.Judge.costs[{name!r}] is {percent!r}: write a whole number of percent, "
                    "from 1 to 100"
                )

    def losses(
        self, key: Key, made: KnownMistake, failing: Set[str] = frozenset()
    ) -> tuple[Loss, ...]:
        """The cost of a mistake, or of several at once; empty if aspects decide.

        Args:
            key: the exercise's key.
            made: the mistake.
            failing: the names of mistakes with which most calls fail: a part is missing.
        """
        if self.by == ASPECTS:
            return ()
        each = zip(made.names, made.costs, made.hints, strict=True)
        return tuple(
            Loss(self.percent(key, name, Cost.PART if name in failing else cost), str(hint))
            for name, cost, hint in each
        )

    def percent(self, key: Key, name: str, cost: Cost) -> int:
        """What a mistake of some kind costs, unless aspects decide."""
        own = self.costs.get(f"{key.exercise.name}.{name}")
        return own or self.costs.get(cost.value) or DEFAULTS[cost.value]

    def decided_by(self, key: Key) -> str:
        """A fingerprint of what decides an exercise's points: shares, right outputs, and the cost
        of each cause."""
        return _decided_by(key, len(key.mistakes), self.by, tuple(self.costs.items()))

    def _fingerprint(self, key: Key) -> str:
        digest = hashlib.sha256(solutions.points_fingerprint(key.exercise, key.solution).encode())
        if self.by == CAUSES:
            for made in key.mistakes:
                (cost,) = made.costs
                digest.update(f"{made.name} {self.percent(key, made.name, cost)}\n".encode())
        return digest.hexdigest()


@lru_cache(maxsize=256)
def _decided_by(key: Key, _mistakes: int, by: str, costs: tuple[tuple[str, int], ...]) -> str:
    """A key gains mistakes while its module is imported."""
    return Marking(by, dict(costs))._fingerprint(key)


BY_CAUSE = Marking()
"""The default: known mistakes decide, at their default costs."""


class Judge(LoggingConfigurable):
    """How the judge turns verdicts into points."""

    marking = Enum(
        [CAUSES, ASPECTS],
        CAUSES,
        help="'causes': if known mistakes explain everything that is wrong, they decide how "
        "many points are lost; 'aspects': every aspect that fails loses its share.",
    ).tag(config=True)
    costs = Dict(
        help="Percent of an exercise's points, by kind of mistake "
        f"({', '.join(f'{kind!r}: {percent}' for kind, percent in DEFAULTS.items())}) or for one "
        "mistake, as 'topic.exercise.mistake'.",
    ).tag(config=True)


def marking_of(parent: Configurable) -> Marking:
    """The marking that a configuration sets.

    Args:
        parent: any object that has the configuration.

    Raises:
        MarkingError: when it sets an invalid cost.
    """
    try:
        configured = Judge(parent=parent)
    except TraitError as error:
        raise MarkingError(f"c.Judge in nbgrader_config.py: {error}") from None
    return Marking(configured.marking, dict(configured.costs))
