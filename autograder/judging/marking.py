"""Points: what a cause costs, and whether causes or aspects decide."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from traitlets import Dict, Enum, TraitError
from traitlets.config import Configurable, LoggingConfigurable

from autograder.judging import solutions
from autograder.judging.keys import Cost, Key, Misconception
from selfcheck.explaining import Loss

CAUSES, ASPECTS = "causes", "aspects"

DEFAULTS = {Cost.SLIP.value: 15, Cost.IDEA.value: 30, Cost.PART.value: 40}
"""Percent of an exercise's points."""


class MarkingError(ValueError):
    """A cost that cannot be; the message says which, and what can."""


@dataclass(frozen=True)
class Marking:
    """How verdicts become points.

    Args:
        by: ``CAUSES``: where known mistakes explain everything, they cost what they cost, once.
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
        self, key: Key, made: Misconception, failing: Set[str] = frozenset()
    ) -> tuple[Loss, ...]:
        """What a mistake costs, or several at once; nothing where aspects decide.

        Args:
            key: the exercise's.
            made: the mistake.
            failing: the names of mistakes with which most calls fail: a part is missing.
        """
        if self.by == ASPECTS:
            return ()
        each = zip(made.names, made.costs, made.hints, strict=True)
        return tuple(
            Loss(self._percent(key, name, Cost.PART if name in failing else cost), str(hint))
            for name, cost, hint in each
        )

    def _percent(self, key: Key, name: str, cost: Cost) -> int:
        own = self.costs.get(f"{key.exercise.name}.{name}")
        return own or self.costs.get(cost.value) or DEFAULTS[cost.value]

    def decided_by(self, key: Key) -> str:
        """Tells what decides an exercise's points from what decided them before: shares, right
        outputs, and what each cause costs."""
        digest = hashlib.sha256(solutions.fingerprint(key.exercise, key.solution).encode())
        if self.by == CAUSES:
            for made in key.misconceptions:
                (cost,) = made.costs
                digest.update(f"{made.name} {self._percent(key, made.name, cost)}\n".encode())
        return digest.hexdigest()


BY_CAUSE = Marking()
"""As it comes."""


class Judge(LoggingConfigurable):
    """How the judge turns verdicts into points."""

    marking = Enum(
        [CAUSES, ASPECTS],
        CAUSES,
        help="Whether known mistakes decide what an answer loses where they explain all of it, or "
        "every aspect that fails loses its share.",
    ).tag(config=True)
    costs = Dict(
        help="Percent of an exercise's points, by kind of mistake "
        f"({', '.join(f'{kind!r}: {percent}' for kind, percent in DEFAULTS.items())}) or for one "
        "mistake, as 'topic.exercise.mistake'.",
    ).tag(config=True)


def marking_of(parent: Configurable) -> Marking:
    """How a configuration has answers marked.

    Args:
        parent: anything that carries the configuration.

    Raises:
        MarkingError: when it sets a cost that cannot be.
    """
    try:
        configured = Judge(parent=parent)
    except TraitError as error:
        raise MarkingError(f"c.Judge in nbgrader_config.py: {error}") from None
    return Marking(configured.marking, dict(configured.costs))
