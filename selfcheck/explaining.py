"""Which known mistakes explain wrong outputs.

A mistake explains an answer when it gives these outputs in every case, at least one of which takes
a computation on the inputs. A call that fails says nothing by itself: any code can raise any text.
Where no mistake explains all, one may still lead a student to a part of the cause, but only where
it contradicts nothing: it is wrong in exactly the outputs that came out wrong, and gives those of
the first wrong case.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from selfcheck.aspects import as_array, identical, numbers
from selfcheck.comparing import is_one_value, same_outputs, same_value
from selfcheck.exercise import Case, Failure, Observation
from selfcheck.texts import say

Outputs = frozenset[tuple[str, str]]
"""Some outputs, each as the names of its case and of itself. Of a case that fails, all are there,
and one called ""."""

_MISFIT = r"^(ValueError(?!: The truth value)|IndexError|InvalidArgumentError)\b"
"""Exceptions of arrays that do not fit, or of values that are not possible; not of an array as a
condition, which Python calls a ValueError, too."""

_AT_ONCE = 3
"""So many mistakes at once are looked for."""

_CASES_ALONE = 2
"""So many cases in which only one of two mistakes is wrong are looked at before both are run."""

_MORE_PAIRS = 50
"""So many pairs are run although neither mistake explains such a case."""

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
        wrong: which of them differ from the right ones, or are not there.
        failure: a pattern that this exception's class or message matches; "" where it speaks of a
            wrong shape, size or value.
        losses: what it costs.
        idle: whether it, or one of several at once, takes no computation, such as returning the
            input: nothing that is added to it makes work of that.
    """

    name: str
    hints: tuple[Hint, ...]
    outputs: Mapping[str, Mapping[str, Any] | None]
    wrong: Outputs
    failure: str = ""
    losses: tuple[Loss, ...] = ()
    idle: bool = False

    @property
    def hint(self) -> str:
        """What a student reads."""
        return told(self.hints) if self.hints else ""


class Known(Protocol):
    """The known mistakes of an exercise, run on the same cases as an answer."""

    @property
    def single(self) -> Sequence[Mistake]:
        """One by one."""

    @property
    def pairs(self) -> Iterable[Mistake]:
        """Some that are often made together, by what they get wrong together."""

    def joined(self, one: Mistake, two: Mistake) -> Mistake | None:
        """Two at once; None where both change the same place, or nobody knows what they give."""


@dataclass(frozen=True)
class Listed:
    """Known mistakes whose outputs are at hand; of several at once, only those of the pairs."""

    single: Sequence[Mistake] = ()
    pairs: Sequence[Mistake] = ()

    def joined(self, one: Mistake, two: Mistake) -> None:
        """Nobody knows."""


NOTHING_KNOWN = Listed()


@dataclass(frozen=True)
class Explanation:
    """What explains an answer.

    Args:
        mistake: one, or several at once.
        full: whether it gives the same outputs everywhere, and at least one of them takes a
            computation: only then does it say what the answer is worth.
    """

    mistake: Mistake
    full: bool


def explain(seen: Mapping[str, Observation], known: Known) -> Explanation | None:
    """The fewest known mistakes that explain an answer, or the only one that leads to it.

    Args:
        seen: what came back, by case name.
        known: mistakes.
    """
    wrong = all_wrong(seen)
    if not wrong:
        return None
    excused = frozenset((name, output) for name, one in seen.items() for output in one.excused)
    single = [made for made in known.single if made.wrong - excused == wrong]
    proved = takes_work(seen)
    order = _quickest_first(seen, wrong)
    together = _Together(known, wrong, excused, order)
    for made in itertools.chain(single, together.often(), together.others() if proved else ()):
        if all(_gives(made, observation) for observation in order):
            return Explanation(made, full=proved and not made.idle)
    return _in_part(seen, single)


def all_wrong(seen: Mapping[str, Observation]) -> Outputs:
    """Which outputs came out wrong, or did not come back."""
    return frozenset(
        (name, output)
        for name, observation in seen.items()
        for output in wrong_outputs(observation, observation.received)
    )


def computed(seen: Mapping[str, Observation]) -> Outputs:
    """Which outputs came back that take a computation on the inputs, whether they are right or not.

    All others can be had without the work that is asked for: what is the same for all inputs, one
    value over and over, an empty output, an input as it was given.
    """
    came: dict[str, dict[str, Any]] = {}
    for name, observation in seen.items():
        if not isinstance(observation.received, Failure):
            for output in observation.received.keys() - observation.known_beforehand:
                came.setdefault(output, {})[name] = observation.received[output]
    found = set()
    for output, values in came.items():
        rights = [seen[name].expected.outputs[output] for name in values]
        guessed = is_one_value(list(values.values())) and not is_one_value(rights)
        if guessed or _is_one_input({name: (x, seen[name].case) for name, x in values.items()}):
            continue
        for name, value in values.items():
            if not _is_at_hand(as_array(value), seen[name].case):
                found.add((name, output))
    return frozenset(found)


def work(seen: Mapping[str, Observation]) -> Outputs:
    """Which outputs of a right answer take a computation."""
    return computed(
        {name: replace(one, received=one.expected.outputs, arrays={}) for name, one in seen.items()}
    )


def takes_work(seen: Mapping[str, Observation]) -> bool:
    """Whether a quarter of what takes a computation came back as something that takes one, of what
    could be had: one easy case proves nothing of the others."""
    asked = {
        (name, output)
        for name, output in work(seen)
        if isinstance(seen[name].received, Failure) or output in seen[name].received
    }
    found = len(computed(seen) & asked)
    return found > 0 and 4 * found >= len(asked)


def _is_one_input(came: Mapping[str, tuple[Any, Case]]) -> bool:
    """Whether what came back is the same input in every case."""
    first = next(case for _, case in came.values())
    return any(
        all(given in case.inputs and _is_input(x, case.inputs[given]) for x, case in came.values())
        for given in first.inputs
    )


def _is_at_hand(value: Any, case: Case) -> bool:
    """Whether a value is nothing, one value over and over, places counted, or an input or a part
    of one; a single number may be an input by chance."""
    if value is None or (isinstance(value, str) and not value):
        return True
    if isinstance(value, np.ndarray):
        if value.size == 1:
            return False
        if is_one_value([value]) or _counts_places(value):
            return True
    elif isinstance(value, list | tuple):
        if len(value) == 1:
            return _is_at_hand(value[0], case)
        if is_one_value(value):
            return True
    return any(_is_part(value, given) for given in case.inputs.values())


def _counts_places(array: np.ndarray) -> bool:
    """Whether an array is 0, 1, 2, ..., or has a 1 in each row, one place further each time."""
    if array.ndim == 1:
        return np.array_equal(array, np.arange(array.size))
    return array.ndim == 2 and np.array_equal(array, np.eye(*array.shape))


def _is_part(value: Any, given: Any) -> bool:
    """Whether a value is an input, an input again and again, or the first or last of an axis."""
    if _is_input(value, given):
        return True
    given = as_array(given)
    if not (isinstance(given, np.ndarray) and isinstance(value, np.ndarray) and given.size > 1):
        return False
    if value.ndim < given.ndim - 1 or value.shape[-1:] not in (
        given.shape[-1:],
        given.shape[-2:-1],
    ):
        return False
    parts = [given, *(given.take(place, axis) for axis in range(given.ndim) for place in (0, -1))]
    return any(
        _alike(value[(0,) * (value.ndim - part.ndim)], part)
        and np.allclose(np.broadcast_to(part, value.shape), value, equal_nan=True)
        for part in parts
        if part.size > 1 and part.shape == value.shape[max(value.ndim - part.ndim, 0) :]
    )


def _is_input(value: Any, given: Any) -> bool:
    value = as_array(value)
    if type(given) in (int, float) and isinstance(value, np.ndarray) and value.size == 1:
        given = np.full(value.shape, given)
    given = sorted(given) if isinstance(given, Set) else as_array(given)
    if isinstance(given, np.ndarray) and isinstance(value, np.ndarray):
        return _alike(value, given)
    return identical(value, given)


def _alike(array: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays are equal: on its way, a number may become one of less precision."""
    if array.shape != other.shape:
        return False
    # Most differ in their first entry, and to look at one takes a hundredth of the time.
    first, second = array.flat[:1], other.flat[:1]
    if first.size and abs(float(first[0]) - float(second[0])) > 1e-3 * (1 + abs(float(second[0]))):
        return False
    return np.allclose(array, other, equal_nan=True)


class _Together:
    """Looks for several known mistakes that together explain an answer.

    To run thousands of pairs would take too long. So what is wrong with one mistake is taken to be
    wrong with another beside it; and where only one of them is wrong, it should explain the case.

    Args:
        known: mistakes.
        wrong: what came out wrong.
        excused: outputs that need not come back.
        order: what came back, by how soon it rules mistakes out.
    """

    def __init__(
        self, known: Known, wrong: Outputs, excused: Outputs, order: Sequence[Observation]
    ) -> None:
        self._known, self._wrong, self._excused, self._order = known, wrong, excused, order
        self._found: dict[tuple[int, str], bool] = {}
        self._within = [made for made in known.single if made.wrong - excused <= wrong]

    def often(self) -> Iterator[Mistake]:
        """Pairs that are often made together."""
        return (made for made in self._known.pairs if made.wrong - self._excused == self._wrong)

    def others(self) -> Iterator[Mistake]:
        """Other pairs, then more at once."""
        for one, two in self._likely_first():
            if both := self._known.joined(one, two):
                yield both
        # More at once are found step by step, beginning with the case in which the fewest show:
        # the one that does is the first of them.
        showing = Counter(case for made in self._within for case in _cases(made.wrong))
        cases = _cases(self._wrong)
        by_few = sorted(
            self._order, key=lambda one: (one.case.name not in cases, showing[one.case.name])
        )
        for made in self._within:
            for more in self._with_more(made, by_few, 1):
                if more.wrong - self._excused == self._wrong:
                    yield more

    def _likely_first(self) -> Iterator[tuple[Mistake, Mistake]]:
        """Every two that together are wrong in these outputs, but only some of those of which none
        explains a case in which it is wrong alone."""
        others = []
        for one, two in itertools.combinations(self._within, 2):
            if (one.wrong | two.wrong) - self._excused != self._wrong:
                continue
            here, there = _cases(one.wrong), _cases(two.wrong)
            alone = [
                (one if observation.case.name in here else two, observation)
                for observation in self._order
                if observation.case.name in here ^ there
            ]
            if not alone or any(self._gives(*each) for each in alone[:_CASES_ALONE]):
                yield one, two
            else:
                others.append((len(alone), one, two))
        others.sort(key=lambda other: other[0])
        yield from (other[1:] for other in others[:_MORE_PAIRS])

    def _gives(self, made: Mistake, observation: Observation) -> bool:
        key = id(made), observation.case.name
        if key not in self._found:
            self._found[key] = _gives(made, observation)
        return self._found[key]

    def _with_more(
        self, made: Mistake, order: Sequence[Observation], count: int
    ) -> Iterator[Mistake]:
        """What can be added to mistakes that explain the first cases, to explain them all."""
        if count > 1:
            yield made
        if count == _AT_ONCE or not made.wrong <= self._wrong | self._excused:
            return
        gives = self._gives if count == 1 else _gives
        explained = sum(1 for _ in itertools.takewhile(partial(gives, made), order))
        for one in self._known.single if explained else ():
            more = self._known.joined(made, one)
            if more and all(_gives(more, observation) for observation in order[: explained + 1]):
                yield from self._with_more(more, order, count + 1)


def _cases(outputs: Outputs) -> frozenset[str]:
    return frozenset(case for case, _ in outputs)


def _in_part(seen: Mapping[str, Observation], single: Sequence[Mistake]) -> Explanation | None:
    """A mistake that gives what came back in the first wrong case, and contradicts no other.

    Args:
        seen: what came back, by case name.
        single: mistakes that are wrong in exactly the outputs that came out wrong.
    """
    first = next(one for one in seen.values() if any(wrong_outputs(one, one.received)))
    # That two fail, vanish or can't be had there says little: each has its own reason.
    if isinstance(first.received, Failure) or _all_zeros(first):
        return None
    if not first.received.keys() & set(wrong_outputs(first, first.received)):
        return None
    leading = [made for made in single if _gives(made, first)]
    return Explanation(leading[0], full=False) if len(leading) == 1 else None


def _all_zeros(observation: Observation) -> bool:
    """Whether the wrong outputs are arrays of nothing but zeros, within the tolerance."""
    received, expected = observation.received, observation.expected
    return all(
        isinstance(expected.outputs[output], np.ndarray)
        and (values := numbers(received.get(output))) is not None
        and values.size > 1
        and np.abs(values).max() <= expected.tolerance[output]
        for output in wrong_outputs(observation, received)
    )


def wrong_outputs(
    observation: Observation, outputs: Mapping[str, Any] | Failure | None
) -> Iterator[str]:
    """The names of a case's outputs that differ from the right ones, or are not there.

    Args:
        observation: the case, and what is expected of it.
        outputs: by name. Of a call that fails, all are wrong, and one called "".
    """
    if outputs is None or isinstance(outputs, Failure):
        yield ""
        outputs = {}
    for output in observation.asked:
        right = observation.expected.outputs[output]
        if output not in outputs or not same_value(output, outputs[output], right, observation):
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


def _quickest_first(seen: Mapping[str, Observation], wrong: Outputs) -> list[Observation]:
    """Cases in the order in which most mistakes are ruled out soonest: those that came out wrong
    before the others, and small inputs before large ones."""
    cases = {case for case, _ in wrong}

    def cost(observation: Observation) -> tuple[bool, int]:
        inputs = observation.case.inputs.values()
        return observation.case.name not in cases, sum(getattr(x, "size", 1) for x in inputs)

    return sorted(seen.values(), key=cost)
