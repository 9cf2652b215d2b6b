"""Which known mistakes explain wrong outputs.

A mistake explains an answer when it gives these outputs in every case. Where none does, one may
still lead a student to a part of the cause, but only where it contradicts nothing: it is wrong in
exactly the outputs that came out wrong, and gives those of the first wrong case.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from selfcheck.aspects import numbers
from selfcheck.comparing import same_outputs, same_value
from selfcheck.exercise import Failure, Observation
from selfcheck.texts import say

Wrong = frozenset[tuple[str, str]]
"""Which outputs of which cases are wrong; a case that fails is there with an output called ""."""

_MISFIT = r"^(ValueError(?!: The truth value)|IndexError|InvalidArgumentError)\b"
"""Exceptions of arrays that do not fit, or of values that are not possible; not of an array as a
condition, which Python calls a ValueError, too."""

_AT_ONCE = 3
"""So many mistakes at once are looked for."""

TOGETHER = " and "
"""Between the names of mistakes that are made at once."""


@dataclass(frozen=True)
class Hint:
    """What leads a student to a mistake.

    Args:
        sentence: in English; it does not give the line away.
        section: of the lesson, to read again.
    """

    sentence: str
    section: int

    def __str__(self) -> str:
        pointer = say("See section {section}.", section=self.section)
        return f"{say(self.sentence)} {pointer}"


def told(hints: Sequence[Hint]) -> str:
    """What a student reads: of one mistake, or of several that were made at once."""
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
    """What one cause costs.

    Args:
        percent: of the exercise's points; 0 where it was paid for before.
        hint: what a student reads of the cause.
        earlier: the exercise in which it was paid for, else "".
    """

    percent: int
    hint: str
    earlier: str = ""


@dataclass(frozen=True)
class Mistake:
    """A known-wrong answer to an exercise, by its outputs.

    Args:
        name: in snake case, such as ``"no_scaling"``; "" where an earlier exercise has the name.
        hints: one for each mistake that was made.
        outputs: by case name, its outputs by name, an array perhaps by its sketch; None where it
            fails with an exception. Cases that are not there come out right.
        wrong: which of them differ from the right ones.
        failure: a pattern that this exception's class or message matches; "" where it speaks of a
            wrong shape, size or value.
        losses: what it costs.
    """

    name: str
    hints: tuple[Hint, ...]
    outputs: Mapping[str, Mapping[str, Any] | None]
    wrong: Wrong
    failure: str = ""
    losses: tuple[Loss, ...] = ()

    @property
    def hint(self) -> str:
        """What a student reads."""
        return told(self.hints) if self.hints else ""


class Known(Protocol):
    """The known mistakes of an exercise, run on the same cases as an answer."""

    @property
    def single(self) -> Iterable[Mistake]:
        """One by one."""

    @property
    def pairs(self) -> Iterable[Mistake]:
        """Every pair of them. They are only needed if no single mistake explains an answer."""

    def on_top(self, mistake: Mistake) -> Iterable[Mistake]:
        """A known mistake, and each of the others as well."""


@dataclass(frozen=True)
class Listed:
    """Known mistakes whose outputs are at hand; more than two at once are not."""

    single: Sequence[Mistake] = ()
    pairs: Sequence[Mistake] = ()

    def on_top(self, mistake: Mistake) -> Iterable[Mistake]:
        """None."""
        return ()


NOTHING_KNOWN = Listed()


@dataclass(frozen=True)
class Explanation:
    """What explains an answer.

    Args:
        mistake: one, or several at once.
        full: whether it gives the same outputs everywhere, of those that came back.
    """

    mistake: Mistake
    full: bool


def explain(seen: Mapping[str, Observation], known: Known) -> Explanation | None:
    """The fewest known mistakes that explain an answer, or the only one that leads to it.

    Args:
        seen: what came back, by case name.
        known: mistakes.
    """
    wrong = frozenset(
        (name, output)
        for name, observation in seen.items()
        for output in wrong_outputs(observation, observation.received)
    )
    if not wrong:
        return None
    left_out = frozenset(itertools.chain.from_iterable(map(_left_out, seen.values())))
    seen_wrong = _SeenWrong(wrong, left_out)
    order = _quickest_first(seen, wrong)
    for made in _candidates(known, seen_wrong, order):
        if all(_gives(made, observation) for observation in order):
            return Explanation(made, full=True)
    return _in_part(seen, known, seen_wrong)


@dataclass(frozen=True)
class _SeenWrong:
    """Which outputs came out wrong, and which did not come back at all."""

    wrong: Wrong
    left_out: Wrong

    def same_as(self, made: Mistake) -> bool:
        """Whether a mistake is wrong in exactly these, of what came back."""
        return made.wrong - self.left_out == self.wrong

    def more_than(self, made: Mistake) -> bool:
        """Whether a mistake is wrong in some or all of these, and in no other."""
        return made.wrong - self.left_out <= self.wrong


def _left_out(observation: Observation) -> Iterator[tuple[str, str]]:
    received = observation.received
    if not isinstance(received, Failure):
        for output in observation.expected.outputs.keys() - received.keys():
            yield observation.case.name, output


def _candidates(
    known: Known, seen_wrong: _SeenWrong, order: Sequence[Observation]
) -> Iterator[Mistake]:
    """Mistakes that are wrong in these outputs: single ones, pairs, then more at once."""
    single = list(known.single)
    for group in (single, known.pairs):
        yield from filter(seen_wrong.same_as, group)
    # More at once are found step by step, beginning with the case in which the fewest show: the
    # one that does is the first of them.
    showing = Counter(case for made in single for case in {case for case, _ in made.wrong})
    cases = {case for case, _ in seen_wrong.wrong}
    by_few = sorted(order, key=lambda one: (one.case.name not in cases, showing[one.case.name]))
    for made in single:
        yield from _with_more(known, made, seen_wrong, by_few, 1)


def _with_more(
    known: Known,
    made: Mistake,
    seen_wrong: _SeenWrong,
    order: Sequence[Observation],
    count: int,
) -> Iterator[Mistake]:
    """What can be added to mistakes that explain the first cases, to explain them all."""
    if count > 1 and seen_wrong.same_as(made):
        yield made
    if count == _AT_ONCE or not seen_wrong.more_than(made) or not _gives(made, order[0]):
        return
    explained = sum(1 for _ in itertools.takewhile(partial(_gives, made), order))
    for more in known.on_top(made):
        if all(_gives(more, observation) for observation in order[: explained + 1]):
            yield from _with_more(known, more, seen_wrong, order, count + 1)


def _in_part(
    seen: Mapping[str, Observation], known: Known, seen_wrong: _SeenWrong
) -> Explanation | None:
    """A mistake that gives what came back in the first wrong case, and contradicts no other."""
    cases = {case for case, _ in seen_wrong.wrong}
    first = next(observation for name, observation in seen.items() if name in cases)
    if isinstance(first.received, Failure) or _all_zeros(first):
        return None  # that two fail or vanish there says little: each has its own reason
    leading = [made for made in known.single if seen_wrong.same_as(made) and _gives(made, first)]
    return Explanation(leading[0], full=False) if len(leading) == 1 else None


def _all_zeros(observation: Observation) -> bool:
    """Whether the wrong outputs are arrays of nothing but zeros, within the tolerance."""
    received, expected = observation.received, observation.expected
    return all(
        isinstance(expected.outputs[output], np.ndarray)
        and (values := numbers(received[output])) is not None
        and values.size > 1
        and np.abs(values).max() <= expected.tolerance[output]
        for output in wrong_outputs(observation, received)
    )


def wrong_outputs(
    observation: Observation, outputs: Mapping[str, Any] | Failure | None
) -> Iterator[str]:
    """The names of a case's outputs that differ from the right ones.

    Args:
        observation: the case, and what is expected of it.
        outputs: by name; those that are not there do not differ. A call that fails has one wrong
            output, called "".
    """
    if outputs is None or isinstance(outputs, Failure):
        yield ""
        return
    for output, right in observation.expected.outputs.items():
        if output in outputs and not same_value(output, outputs[output], right, observation):
            yield output


def _gives(mistake: Mistake, observation: Observation) -> bool:
    """Whether a mistake gives what came back in a case."""
    outputs, name = observation.expected.outputs, observation.case.name
    if name in mistake.outputs:
        outputs = mistake.outputs[name]
    if outputs is None and isinstance(observation.received, Failure):
        failure = observation.received
        pattern = mistake.failure or _MISFIT
        return re.search(pattern, f"{failure.kind}: {failure.message}") is not None
    return same_outputs(outputs, observation)


def _quickest_first(seen: Mapping[str, Observation], wrong: Wrong) -> list[Observation]:
    """Cases in the order in which most mistakes are ruled out soonest: those that came out wrong
    before the others, and small inputs before large ones."""
    cases = {case for case, _ in wrong}

    def cost(observation: Observation) -> tuple[bool, int]:
        inputs = observation.case.inputs.values()
        return observation.case.name not in cases, sum(getattr(x, "size", 1) for x in inputs)

    return sorted(seen.values(), key=cost)
