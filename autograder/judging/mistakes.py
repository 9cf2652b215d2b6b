"""The outputs of known mistakes: alone, together, and on top of earlier ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial, reduce
from typing import Any

from autograder.judging import solutions
from autograder.judging.edits import Edit, EditError, reached
from autograder.judging.keys import Key, KnownMistake
from autograder.judging.marking import Marking
from selfcheck import Case
from selfcheck.evidence import Outputs, Seen, wrong_outputs
from selfcheck.exercise import Failure, Observation
from selfcheck.explaining import EvaluatedMistake, Loss
from selfcheck.sheets import PUBLISHED_SEED


@dataclass(frozen=True)
class Earlier:
    """A mistake that was found, and cost points, in an earlier exercise of the same notebook.

    Args:
        key: the key of that exercise.
        made: the mistake.
    """

    key: Key
    made: KnownMistake

    def reaches(self, key: Key) -> bool:
        """Whether an exercise calls the function with this mistake, so that it also shows there."""
        return bool(self.made.edits) and self.key.solution in _called(key)


@cache
def _called(key: Key) -> frozenset[Any]:
    """The functions that a key's solution calls, directly or not."""
    return frozenset(reached(key.solution)) - {key.solution}


class KeyFailure(Exception):
    """A known mistake can't be run, independently of any response; the cause says why."""


class ComputedMistakes:
    """An exercise's known mistakes on the cases of a seed, computed on demand.

    Args:
        key: the exercise's key.
        seed: the seed of the inputs.
        marking: determines what they cost.
        earlier: mistakes of earlier exercises that this one calls: each known mistake is looked
            for on top of them. If there are any, the first known mistake is just these.
    """

    def __init__(
        self, key: Key, seed: int, marking: Marking, earlier: Sequence[Earlier] = ()
    ) -> None:
        self._key, self._marking = key, marking
        self._cases = solutions.cases(key.exercise, seed)
        self._paid = tuple(
            Loss(0, str(hint), one.key.exercise.name) for one in earlier for hint in one.made.hints
        )
        edits = frozenset(itertools.chain.from_iterable(one.made.edits for one in earlier))
        failure = "|".join(dict.fromkeys(one.made.failure for one in earlier if one.made.failure))
        self._bank = _bank(key, tuple(key.mistakes), edits, failure)

    @cached_property
    def single(self) -> list[EvaluatedMistake]:
        """One by one."""
        return [self._run(made) for made in self._bank.single]

    @property
    def pairs(self) -> Iterator[EvaluatedMistake]:
        """The pairs for which an answer sheet has room."""
        return map(self._run, self._bank.pairs)

    def joined(self, one: EvaluatedMistake, two: EvaluatedMistake) -> EvaluatedMistake | None:
        """Two that change different places. Outputs that are wrong with one of them are assumed to
        be wrong with both."""
        first, second = one.outputs, two.outputs
        assert isinstance(first, OutputsByCase) and isinstance(second, OutputsByCase)
        if not first.made.fits(second.made):
            return None
        return self._run(first.made.joined(second.made), one.wrong | two.wrong)

    def outputs_without_earlier(self, names: Sequence[str]) -> OutputsByCase:
        """The outputs of these known mistakes together, without the earlier ones."""
        made = reduce(KnownMistake.joined, map(self._key.find, names))
        return OutputsByCase(made, self._cases)

    def _run(self, made: KnownMistake, wrong: Outputs | None = None) -> EvaluatedMistake:
        outputs = OutputsByCase(made, self._cases)
        wrong = self._bank.wrong(made) if wrong is None else wrong
        idle = partial(self._bank.idle, made)
        losses = partial(self._losses, made)
        return EvaluatedMistake(made.name, made.hints, outputs, wrong, made.failure, losses, idle)

    def _losses(self, made: KnownMistake) -> tuple[Loss, ...]:
        return self._paid + self._marking.losses(self._key, made, self._bank.failing)


class _Bank:
    """The mistakes of a key, and the outputs that each one gets wrong.

    These outputs are the same for every seed, so they are known before any mistake is run on a
    student's inputs, and only mistakes that are wrong in the same outputs as the student are run.
    """

    def __init__(self, key: Key, single: Sequence[KnownMistake]) -> None:
        self._key = key
        self.single = single
        self._wrong: dict[KnownMistake, Outputs] = {}
        self._idle: dict[str, bool] = {}

    def assume(self, wrong: Mapping[KnownMistake, Outputs]) -> None:
        """Take the outputs that mistakes get wrong as given, without running them."""
        self._wrong |= wrong

    @cached_property
    def pairs(self) -> list[KnownMistake]:
        """The pairs that may be on an answer sheet."""
        several = (made for made in self.single if made.paired)
        return [one.joined(two) for one, two in itertools.combinations(several, 2) if one.fits(two)]

    def idle(self, made: KnownMistake) -> bool:
        """Whether a mistake takes no computation, or one of several at once doesn't."""
        return any(map(self._is_idle, made.names)) or (made.combined and self._takes_none(made))

    def _is_idle(self, name: str) -> bool:
        if name not in self._idle:
            alone = (made for made in self.single if made.name == name)
            self._idle[name] = any(map(self._takes_none, alone))
        return self._idle[name]

    def _takes_none(self, made: KnownMistake) -> bool:
        outputs = OutputsByCase(made, solutions.cases(self._key.exercise, PUBLISHED_SEED))
        seen = Seen(
            (right.case.name, replace(right, received=Failure("ValueError", "")))
            if (given := outputs[right.case.name]) is None
            else (right.case.name, replace(right, received=given))
            for right in self._right
        )
        return not seen.takes_work

    @cached_property
    def failing(self) -> frozenset[str]:
        """The names of those with which half of the calls fail, or more."""
        return frozenset(
            made.name
            for made in self.single
            if 2 * sum(output == "" for _, output in self.wrong(made)) >= len(self._right)
        )

    def wrong(self, made: KnownMistake) -> Outputs:
        """The outputs that a mistake gets wrong."""
        if made not in self._wrong:
            outputs = OutputsByCase(made, solutions.cases(self._key.exercise, PUBLISHED_SEED))
            self._wrong[made] = frozenset(
                (right.case.name, output)
                for right in self._right
                for output in wrong_outputs(right, outputs[right.case.name])
            )
        return self._wrong[made]

    @cached_property
    def _right(self) -> list[Observation]:
        key = self._key
        expected = solutions.expected(key.exercise, key.solution, PUBLISHED_SEED)
        return [
            Observation(case, expected[name], expected[name].outputs)
            for name, case in solutions.cases(key.exercise, PUBLISHED_SEED).items()
        ]


@cache
def _bank(key: Key, known: tuple[KnownMistake, ...], edits: frozenset[Edit], failure: str) -> _Bank:
    """A key's mistakes, on top of edits of the functions that it calls."""
    if not edits:
        return _Bank(key, known)
    alone = KnownMistake.edit(
        "", key.solution, edits, hints=(), costs=(), failure=failure, combined=True
    )
    added = {one: made for made in known if (one := made.on(alone))}
    bank, without = _Bank(key, [alone, *added]), _bank(key, known, frozenset(), "")
    # Assumed, as for any two: running all of them on top of each mistake of a class takes long.
    bank.assume({one: bank.wrong(alone) | without.wrong(made) for one, made in added.items()})
    return bank


class OutputsByCase(Mapping[str, dict[str, Any] | None]):
    """A mistake's outputs by case name, computed on demand: the first case rules out most
    mistakes."""

    def __init__(self, made: KnownMistake, cases: Mapping[str, Case]) -> None:
        self.made, self._cases = made, cases
        self._computed: dict[str, dict[str, Any] | None] = {}

    def __getitem__(self, name: str) -> dict[str, Any] | None:
        if name not in self._computed:
            self._computed[name] = _outputs(self.made, self._cases[name])
        return self._computed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cases)

    def __len__(self) -> int:
        return len(self._cases)

    def __contains__(self, name: object) -> bool:
        return name in self._cases


def _outputs(made: KnownMistake, case: Case) -> dict[str, Any] | None:
    """A mistake's outputs, or None if it fails.

    Raises:
        KeyFailure: when a mistake fails for a reason other than a wrong shape, size or value.
            Several at once may fail in any way.
    """
    try:
        return case.asked(solutions.outputs(made.variant, case.inputs))
    except MemoryError:
        raise
    except Exception as error:
        expected = (ValueError, IndexError, *((TypeError,) if made.failure else ()))
        fails = isinstance(error, expected) and not isinstance(error, EditError)
        if fails or made.combined:
            return None
        raise KeyFailure from error
