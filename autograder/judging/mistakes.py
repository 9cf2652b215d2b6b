"""What known mistakes give on an exercise's cases: alone, together, on top of earlier ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from typing import Any

from autograder.judging import solutions
from autograder.judging.edits import Edit, EditError, reached
from autograder.judging.keys import Key, Misconception
from autograder.judging.marking import Marking
from selfcheck import Case
from selfcheck.exercise import Observation
from selfcheck.explaining import Loss, Mistake, Wrong, wrong_outputs
from selfcheck.sheets import PUBLISHED_SEED


@dataclass(frozen=True)
class Earlier:
    """A mistake that was found, and paid for, in an earlier exercise of the same notebook.

    Args:
        key: of that exercise.
        made: the mistake.
    """

    key: Key
    made: Misconception

    def reaches(self, key: Key) -> bool:
        """Whether an exercise calls what this mistake is in, so that it shows there as well."""
        return bool(self.made.edits) and self.key.solution in _called(key)


@cache
def _called(key: Key) -> frozenset[Any]:
    """What a key's solution calls, directly or not, without itself."""
    return frozenset(reached(key.solution)) - {key.solution}


class KnownMistakes:
    """An exercise's known mistakes on the cases of a seed, computed when they are asked for.

    Args:
        key: the exercise's.
        seed: of the inputs.
        marking: what they cost.
        earlier: mistakes of earlier exercises that this one calls: each known mistake is looked
            for on top of them. With some, the first known mistake is to have made these alone.
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
        self._bank = _bank(key, tuple(key.misconceptions), edits, failure)

    @cached_property
    def single(self) -> list[Mistake]:
        """One by one."""
        return [self._run(made) for made in self._bank.single]

    @property
    def pairs(self) -> Iterator[Mistake]:
        """Every two that a student can make at once."""
        return map(self._run, self._bank.pairs)

    def on_top(self, mistake: Mistake) -> Iterable[Mistake]:
        """A known mistake, and each of the others as well that can be made beside it."""
        made = getattr(mistake.outputs, "made", None)
        return map(self._run, self._bank.on_top(made)) if made else ()

    def outputs_without_earlier(self, names: Sequence[str]) -> OutputsByCase:
        """What these known mistakes give together, without the earlier ones."""
        made = reduce(Misconception.joined, map(self._key.find, names))
        return OutputsByCase(made, self._cases)

    def _run(self, made: Misconception) -> Mistake:
        outputs = OutputsByCase(made, self._cases)
        losses = self._paid + self._marking.losses(self._key, made)
        return Mistake(made.name, made.hints, outputs, self._bank.wrong(made), made.failure, losses)


class _Bank:
    """The mistakes of a key, alone and together, and which outputs each gets wrong.

    That is the same for every seed, so it is known of all before any is run on a student's inputs,
    and only those are run that are wrong where the student is.
    """

    def __init__(self, key: Key, single: Sequence[Misconception]) -> None:
        self._key = key
        self.single = single
        self._wrong: dict[Misconception, Wrong] = {}
        self._more: dict[Misconception, list[Misconception]] = {}

    @cached_property
    def pairs(self) -> list[Misconception]:
        """Every two that a student can make at once."""
        both = itertools.combinations(self.single, 2)
        return [one.joined(two) for one, two in both if one.fits(two)]

    def on_top(self, made: Misconception) -> list[Misconception]:
        """A mistake with each of the others that fits beside it."""
        if made not in self._more:
            self._more[made] = [made.joined(one) for one in self.single if made.fits(one)]
        return self._more[made]

    def wrong(self, made: Misconception) -> Wrong:
        """Which outputs a mistake gets wrong."""
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
            Observation(case, expected[case.name], expected[case.name].outputs)
            for case in solutions.cases(key.exercise, PUBLISHED_SEED)
        ]


@cache
def _bank(
    key: Key, known: tuple[Misconception, ...], edits: frozenset[Edit], failure: str
) -> _Bank:
    """A key's mistakes, on top of edits of what it calls, with which that fails in this way."""
    if not edits:
        return _Bank(key, known)
    alone = Misconception.edit(
        "", key.solution, edits, hints=(), costs=(), alone=True, failure=failure
    )
    return _Bank(key, [alone, *(one for made in known if (one := made.on(alone)))])


class OutputsByCase(Mapping[str, dict[str, Any] | None]):
    """A mistake's outputs by case name, computed when they are asked for: most mistakes are ruled
    out by the first case."""

    def __init__(self, made: Misconception, cases: Sequence[Case]) -> None:
        self.made = made
        self._cases = {case.name: case for case in cases}
        self._computed: dict[str, dict[str, Any] | None] = {}

    def __getitem__(self, name: str) -> dict[str, Any] | None:
        if name not in self._computed:
            self._computed[name] = _outputs(self.made, self._cases[name].inputs)
        return self._computed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cases)

    def __len__(self) -> int:
        return len(self._cases)

    def __contains__(self, name: object) -> bool:
        return name in self._cases


def _outputs(made: Misconception, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
    """A mistake's outputs, or None where it fails."""
    try:
        return solutions.outputs(made.variant, inputs)
    except EditError:  # a ValueError, too, but the teacher's
        raise
    except (ValueError, IndexError):
        return None
    except TypeError:
        if not made.failure:
            raise
        return None
