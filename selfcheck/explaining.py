"""Find the known mistakes that explain wrong outputs.

A mistake explains an answer if it gives the same outputs in every case, at least one of which takes
a computation on the inputs. A failed call proves nothing by itself: any code can raise any text.
If no mistake explains everything, one may still lead a student to a part of the cause, but only if
nothing contradicts it: it's wrong in exactly the outputs that are wrong, and gives those of the
first wrong case.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

import numpy as np

from selfcheck.aspects import numbers
from selfcheck.equality import same_outputs
from selfcheck.evidence import Outputs, Seen, wrong_outputs
from selfcheck.exercise import Case, Failure, Observation
from selfcheck.texts import say

_MISFIT = r"^(ValueError(?!: The truth value)|IndexError|InvalidArgumentError)\b"
"""Exceptions about arrays that don't fit, or impossible values; not about an array used as a
condition, which is also a ValueError."""

_AT_ONCE = 3
"""Maximum number of simultaneous mistakes to look for."""

_DOUBTED = 60, 600
"""Minimum and maximum number of unlikely pairs to run: fewer if the inputs are large."""

_ENTRIES = 48_000
"""Between these bounds, as many pairs are run as have this many numbers in all their inputs."""

_COMBINATIONS = 2_000
"""Maximum number of combinations to try for one answer: a response that was made to lie near many
of them would take the judge half a minute."""

_OTHERWISE = 2
"""Maximum number of outputs in which a pair may differ from what its two mistakes get wrong."""

TOGETHER = " and "
"""The separator between the names of simultaneous mistakes."""


@dataclass(frozen=True)
class Hint:
    """A hint at a mistake.

    Args:
        sentence: in English; it doesn't give the line away.
        section: the lesson's section to read again.
    """

    sentence: str
    section: int

    def __str__(self) -> str:
        pointer = say("See section {section}.", section=self.section)
        return f"{say(self.sentence)} {pointer}"


def hints_text(hints: Sequence[Hint]) -> str:
    """The text for the student on one mistake, or on several at once."""
    if len(hints) == 1:
        return str(hints[0])
    begin = say("Two mistakes at once.") if len(hints) == 2 else say("Three mistakes at once.")
    # A section is named once.
    following = [*hints[1:], None]
    texts = [
        say(hint.sentence) if after and hint.section == after.section else str(hint)
        for hint, after in zip(hints, following, strict=True)
    ]
    return " ".join([begin, *texts])


@dataclass(frozen=True)
class Loss:
    """The points that one cause costs.

    Args:
        percent: the percentage of the exercise's points; 0 if it has already cost points.
        hint: the hint on the cause.
        earlier: the exercise in which it already cost points, else "".
    """

    percent: int
    hint: str
    earlier: str = ""


@dataclass(frozen=True)
class EvaluatedMistake:
    """A known-wrong answer to an exercise, by its outputs.

    Args:
        name: in snake case, such as ``"no_scaling"``; "" if an earlier exercise has the name.
        hints: one for each mistake that was made.
        outputs: by case name, its outputs by name, an array perhaps as a sketch; None if it fails
            with an exception. Cases that are missing come out right.
        wrong: the outputs that are wrong or missing.
        failure: a pattern for this exception's class or message; "" if it's about a wrong shape,
            size or value.
        losses: returns what it costs.
        idle: returns whether it takes no computation, such as returning the input; or one of
            several at once doesn't: adding other mistakes doesn't change that.
    """

    name: str
    hints: tuple[Hint, ...]
    outputs: Mapping[str, Mapping[str, Any] | None]
    wrong: Outputs
    failure: str = ""
    losses: Callable[[], tuple[Loss, ...]] = tuple
    idle: Callable[[], bool] = bool

    @property
    def hint(self) -> str:
        """The text for the student."""
        return hints_text(self.hints) if self.hints else ""


class EvaluatedMistakes(Protocol):
    """An exercise's known mistakes, run on the same cases as an answer."""

    @property
    def single(self) -> Sequence[EvaluatedMistake]:
        """One by one."""

    @property
    def pairs(self) -> Iterable[EvaluatedMistake]:
        """Some that are often made together, by what they get wrong."""

    def joined(self, one: EvaluatedMistake, two: EvaluatedMistake) -> EvaluatedMistake | None:
        """Two at once; None if both change the same place, or their outputs are unknown."""


@dataclass(frozen=True)
class StoredMistakes:
    """Known mistakes with stored outputs; of several at once, only the stored pairs."""

    single: Sequence[EvaluatedMistake] = ()
    pairs: Sequence[EvaluatedMistake] = ()

    def joined(self, one: EvaluatedMistake, two: EvaluatedMistake) -> None:
        """Unknown here."""


NOTHING_KNOWN = StoredMistakes()


@dataclass(frozen=True)
class Explanation:
    """The explanation of an answer.

    Args:
        mistake: one, or several at once.
        full: whether it gives the same outputs everywhere, and at least one of them takes a
            computation: only then does it decide the points.
    """

    mistake: EvaluatedMistake
    full: bool


def explain(seen: Seen, known: EvaluatedMistakes) -> Explanation | None:
    """The fewest known mistakes that explain an answer, or the only one that leads to it.

    Args:
        seen: the observations.
        known: the known mistakes.
    """
    wrong = seen.wrong
    if not wrong:
        return None
    excused = frozenset((name, output) for name, one in seen.items() for output in one.excused)
    single = [made for made in known.single if made.wrong - excused == wrong]
    order = _quickest_first(seen, wrong)
    combinations = _CombinationSearch(known, wrong, excused, order)
    search = seen.takes_work and not isinstance(known, StoredMistakes)
    for made in itertools.chain(
        single, combinations.frequent(), combinations.others() if search else ()
    ):
        if all(_gives(made, observation) for observation in order):
            return Explanation(made, full=seen.takes_work and not made.idle())
    return _in_part(seen, single)


_Pairs = Sequence[tuple[EvaluatedMistake, EvaluatedMistake]]
_Alone = Sequence[tuple[int, Observation]]
"""Cases in which only one mistake of a pair is wrong, each with which one it is."""


class _CombinationSearch:
    """Looks for several known mistakes that together explain an answer.

    Running thousands of pairs would take too long. So an output that one mistake gets wrong is
    assumed to be wrong with both; and if only one of them is wrong, it should explain the case.

    Args:
        known: the known mistakes.
        wrong: the wrong outputs.
        excused: optional outputs that are missing.
        order: the observations, in the order in which they rule out most mistakes.
    """

    def __init__(
        self,
        known: EvaluatedMistakes,
        wrong: Outputs,
        excused: Outputs,
        order: Sequence[Observation],
    ) -> None:
        self._known, self._wrong, self._excused, self._order = known, wrong, excused, order
        self._found: dict[tuple[int, str], bool] = {}
        self._left = _COMBINATIONS
        self._within = [made for made in known.single if made.wrong - excused <= wrong]

    def frequent(self) -> Iterator[EvaluatedMistake]:
        """Pairs that are often made together."""
        return (made for made in self._known.pairs if made.wrong - self._excused == self._wrong)

    def others(self) -> Iterator[EvaluatedMistake]:
        """Other pairs, then more at once."""
        likely, doubted = self._by_likelihood()
        yield from self._joined(likely)
        least, most = _DOUBTED
        count = min(max(_ENTRIES // _size(self._order[0].case), least), most)
        yield from itertools.islice(self._joined(doubted), count)
        # Larger combinations are built step by step, beginning with the case in which the fewest
        # mistakes show: the one that does is the first of them.
        showing = Counter(case for made in self._within for case in _cases(made.wrong))
        cases = _cases(self._wrong)
        by_few = sorted(
            self._order, key=lambda one: (one.case.name not in cases, showing[one.case.name])
        )
        for made in self._within:
            for more in self._with_more(made, by_few, 1):
                if more.wrong - self._excused == self._wrong:
                    yield more

    def _by_likelihood(self) -> tuple[_Pairs, _Pairs]:
        """All pairs that may be wrong in these outputs: the likely ones, in which one mistake
        explains the first case that only it gets wrong; and the others, the likelier first."""
        kinds: dict[Outputs, int] = {}  # many are wrong in the same outputs
        single = [(kinds.setdefault(made.wrong, len(kinds)), made) for made in self._known.single]
        wrong = list(kinds)
        compared = cache(lambda here, there: self._compare(wrong[here], wrong[there]))
        likely: list[tuple[EvaluatedMistake, EvaluatedMistake]] = []
        doubted: list[tuple[int, _Alone, tuple[EvaluatedMistake, EvaluatedMistake]]] = []
        for (here, one), (there, two) in itertools.combinations(single, 2):
            otherwise, alone = compared(here, there)
            if otherwise > _OTHERWISE:
                continue
            pair = one, two
            if not otherwise and (not alone or self._gives(pair[alone[0][0]], alone[0][1])):
                likely.append(pair)
            else:
                doubted.append((otherwise, alone, pair))
        doubted.sort(key=self._doubt)
        return likely, [pair for *_, pair in doubted]

    def _doubt(
        self, ranked: tuple[int, _Alone, tuple[EvaluatedMistake, EvaluatedMistake]]
    ) -> tuple[bool, int, int]:
        """First those of which one explains another case that only it gets wrong, if it was run."""
        otherwise, alone, pair = ranked
        given = any(self._found.get((id(pair[one]), each.case.name)) for one, each in alone)
        return not given, otherwise, len(alone)

    def _compare(self, here: Outputs, there: Outputs) -> tuple[int, _Alone]:
        """The number of outputs in which two mistakes differ from an answer, and the cases in which
        only one of them is wrong."""
        here, there = here - self._excused, there - self._excused
        otherwise = len((here | there) ^ self._wrong)
        cases = _cases(here), _cases(there)
        return otherwise, [
            (one, observation)
            for observation in (self._order if otherwise <= _OTHERWISE else ())
            for one, other in ((0, 1), (1, 0))
            if observation.case.name in cases[one] - cases[other]
        ]

    def _joined(self, pairs: _Pairs) -> Iterator[EvaluatedMistake]:
        return filter(None, itertools.starmap(self._join, pairs))

    def _join(self, one: EvaluatedMistake, two: EvaluatedMistake) -> EvaluatedMistake | None:
        self._left -= 1
        return self._known.joined(one, two) if self._left >= 0 else None

    def _gives(self, made: EvaluatedMistake, observation: Observation) -> bool:
        key = id(made), observation.case.name
        if key not in self._found:
            self._found[key] = _gives(made, observation)
        return self._found[key]

    def _with_more(
        self, made: EvaluatedMistake, order: Sequence[Observation], count: int
    ) -> Iterator[EvaluatedMistake]:
        """Mistakes to add to those that explain the first cases, in order to explain all cases."""
        if count > 1:
            yield made
        if count == _AT_ONCE or not made.wrong <= self._wrong | self._excused:
            return
        gives = self._gives if count == 1 else _gives
        explained = sum(1 for _ in itertools.takewhile(partial(gives, made), order))
        for one in self._known.single if explained else ():
            more = self._join(made, one)
            if more and all(_gives(more, observation) for observation in order[: explained + 1]):
                yield from self._with_more(more, order, count + 1)


def _cases(outputs: Outputs) -> frozenset[str]:
    return frozenset(case for case, _ in outputs)


def _in_part(
    seen: Mapping[str, Observation], single: Sequence[EvaluatedMistake]
) -> Explanation | None:
    """A mistake that gives what came back in the first wrong case, and contradicts no other.

    Args:
        seen: observations by case name.
        single: mistakes that are wrong in exactly the wrong outputs.
    """
    first = next(one for one in seen.values() if any(wrong_outputs(one, one.received)))
    # If both fail, vanish or can't be computed there, that means little: the reasons may differ.
    if isinstance(first.received, Failure) or _all_zeros(first):
        return None
    if not first.received.keys() & set(wrong_outputs(first, first.received)):
        return None
    leading = [made for made in single if _gives(made, first)]
    return Explanation(leading[0], full=False) if len(leading) == 1 else None


def _all_zeros(observation: Observation) -> bool:
    """Whether the wrong outputs are arrays of nothing but zeros, within the tolerance."""
    received, expected = observation.outputs, observation.expected
    return all(
        isinstance(expected.outputs[output], np.ndarray)
        and (values := numbers(received.get(output))) is not None
        and values.size > 1
        and np.abs(values).max() <= expected.tolerance[output]
        for output in wrong_outputs(observation, observation.received)
    )


def _gives(mistake: EvaluatedMistake, observation: Observation) -> bool:
    """Whether a mistake gives the received outputs in a case."""
    name = observation.case.name
    outputs: Mapping[str, Any] | None = observation.expected.outputs
    # For a single mistake, the wrong outputs are known; two together may get others wrong.
    may_be_wrong = len(mistake.hints) > 1 or name in _cases(mistake.wrong)
    if may_be_wrong and name in mistake.outputs:
        outputs = mistake.outputs[name]
    return gives(outputs, observation, mistake.failure)


def gives(outputs: Mapping[str, Any] | None, observation: Observation, failure: str = "") -> bool:
    """Whether some outputs are those that were received.

    Args:
        outputs: by name; None for a call that fails.
        observation: what was received.
        failure: see ``EvaluatedMistake``.
    """
    received = observation.received
    if outputs is None and isinstance(received, Failure):
        return re.search(failure or _MISFIT, f"{received.kind}: {received.message}") is not None
    return same_outputs(outputs, observation)


def _quickest_first(seen: Mapping[str, Observation], wrong: Outputs) -> list[Observation]:
    """Cases in the order that rules out most mistakes soonest: wrong ones before the others, and
    those with few or small steps before those that take more."""
    cases = _cases(wrong)

    def cost(observation: Observation) -> tuple[bool, int, int]:
        given = [x for x in observation.case.inputs.values() if x is not None]
        return observation.case.name not in cases, len(given), _size(observation.case)

    return sorted(seen.values(), key=cost)


def _size(case: Case) -> int:
    return sum(getattr(given, "size", 1) for given in case.inputs.values())
