"""Search edits of a solution for one, or two, that explain an answer that nothing written explains.

An edit explains an answer as a known mistake does: if it gives the same outputs in every case. As
nobody has foreseen it, more is asked of it: all edits that do so must also agree with each other on
new inputs. If they don't, the answer's outputs can't tell them apart, and nothing is said.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import itertools
import logging
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from types import FunctionType
from typing import Any

import numpy as np

from autograder.judging import solutions
from autograder.judging.candidates import Candidate, candidates
from autograder.judging.edits import Edit, edited, run
from autograder.judging.keys import Key, KnownMistake
from autograder.judging.memory_limit import memory_limit
from autograder.judging.mistakes import OutputsByCase
from autograder.judging.solution_code import Said
from selfcheck import Case, Expected, Failure, Observation, responses
from selfcheck.aspects import identical
from selfcheck.evidence import Seen, wrong_outputs
from selfcheck.explaining import TOGETHER, Hint, gives
from selfcheck.sheets import PUBLISHED_SEED
from selfcheck.verdicts import observe

_Some = tuple[int, ...]
"""Candidates that are made at once, by their numbers."""

_log = logging.getLogger(__name__)

_RUNS = 20_000
"""Maximum number of times that edited solutions are called on a student's inputs."""

_AT_MOST = 1_000
"""Maximum number of edits that pairs are made of."""

_SECONDS = 60.0
"""Maximum CPU seconds for these calls, and for comparing what they give with a response."""

_MEMORY = 512 * 1024**2
"""Maximum memory for a search, in bytes: with another shape, an array may become huge."""

_CLEAR = 3.7
"""The highest rank at which the first of several edits that amount to the same is taken. More
far-fetched ones must do the same kind of thing."""

_AT_ONCE = 3.6
"""The highest sum of two edits' ranks."""

_ANEW = range(7_000, 7_003)
"""The seeds of the new inputs on which edits are compared with each other."""


class _OutOfRuns(Exception):
    """The search may not call any more edited solutions."""


def search(key: Key, seed: int, response: Any, known: Collection[str] = ()) -> KnownMistake | None:
    """The mistake that explains a response: the only one among the edits that are searched. Its
    names are those of one or two candidates.

    Args:
        key: the exercise's key.
        seed: the seed of the response's inputs.
        response: parsed JSON from a student's process; nothing in it is trusted.
        known: if given, only two of the candidates with these names are tried at once, however
            far-fetched that is: others made them.
    """
    try:
        answers = responses.read(response, key.exercise, seed)
        expected = solutions.expected(key.exercise, key.solution, seed)
        seen = observe(key.exercise, seed, answers, expected)
        with memory_limit(_MEMORY):
            return explain(key, seed, seen, known)
    except MemoryError:
        raise
    except Exception:  # of ours, or a response that can't be read
        _log.warning("searching a response to %s failed", key.exercise.name, exc_info=True)
        return None


def candidate(key: Key, name: str) -> Candidate | None:
    """The candidate with a name, such as one of what ``search`` finds; None if there is none."""
    return next((each for each in _pool(key).edits if each.name == name), None)


def explain(key: Key, seed: int, seen: Seen, known: Collection[str] = ()) -> KnownMistake | None:
    """The same, from what was seen."""
    if not seen.takes_work:
        return None
    pool = _pool(key)
    trial = _Trial(pool, seed, seen)
    if known:
        among = [one for one, edit in enumerate(pool.edits) if edit.name in known]
        return pool.agreed(trial.pairs(among, math.inf))
    try:
        fitting = [(one,) for one in range(len(pool.edits)) if trial.fits((one,))]
    except _OutOfRuns:
        return None
    return pool.agreed(fitting or trial.pairs(range(len(pool.edits)), _AT_ONCE))


class _Pool:
    """The candidates of a key, and on which of the published inputs each one is right.

    Whether it's right there is the same for every seed, so it rules candidates out before they're
    run on a student's inputs.
    """

    def __init__(self, key: Key) -> None:
        self.key = key
        self.edits: Sequence[Candidate] = candidates(key)
        self._expected = solutions.expected(key.exercise, key.solution, PUBLISHED_SEED)
        self._cases = solutions.cases(key.exercise, PUBLISHED_SEED)
        self._wrong: dict[tuple[int, str], tuple[frozenset[str], str]] = {}

    def made(self, which: _Some) -> KnownMistake:
        """Some candidates as a mistake."""
        chosen = [self.edits[each] for each in which]
        edits = frozenset().union(*(one.edits for one in chosen))
        return KnownMistake(
            "",
            (),
            _run_safely(self.key.solution, edits),
            self.key.solution,
            edits,
            costs=tuple(one.cost for one in chosen),
            combined=True,
        )

    def rank(self, some: _Some) -> float:
        """How far-fetched some candidates are."""
        return sum(self.edits[one].rank for one in some)

    def wrong(self, one: int, case: str) -> frozenset[str]:
        """The outputs of a case that a candidate gets wrong."""
        return self._tried(one, case)[0]

    def distinct(self, some: Iterable[int]) -> list[int]:
        """One of those that give the same outputs everywhere; none if it isn't clear which."""
        alike: dict[tuple[str, ...], list[_Some]] = {}
        for one in some:
            given = tuple(self._tried(one, case)[1] for case in self._cases)
            alike.setdefault(given, []).append((one,))
        return [simplest[0] for each in alike.values() if (simplest := self._simplest(each))]

    def _simplest(self, fitting: Sequence[_Some]) -> _Some | None:
        """The likeliest explanation; None if others are as likely, and mean something else."""
        best = min(fitting, key=lambda some: (self.rank(some), some))
        as_likely = [some for some in fitting if self.rank(some) == self.rank(best)]
        kinds = {tuple(sorted(self.edits[one].said.template for one in x)) for x in as_likely}
        by_chance = all(any(self.edits[one].replaces_a_number for one in x) for x in as_likely)
        unclear = len(kinds) > 1 and (by_chance or self.rank(best) > _CLEAR)
        return None if unclear else best

    def collide(self, one: int, two: int) -> bool:
        """Whether two candidates change the same place, or one changes what the other states."""
        pairs = itertools.product(self.edits[one].edits, self.edits[two].edits)
        return any(itertools.starmap(_collide, pairs))

    def _tried(self, one: int, case: str) -> tuple[frozenset[str], str]:
        if (one, case) not in self._wrong:
            given = OutputsByCase(self.made((one,)), self._cases)[case]
            right = self._expected[case]
            observation = Observation(self._cases[case], right, right.outputs)
            wrong = frozenset(wrong_outputs(observation, given))
            self._wrong[one, case] = wrong, _fingerprint(given) if wrong else ""
        return self._wrong[one, case]

    def agreed(self, fitting: Sequence[_Some]) -> KnownMistake | None:
        """The simplest of some explanations; None if they mean different things, if it isn't clear
        what happened, or if it takes no computation."""
        best = self._simplest(fitting) if fitting else None
        if best is None:
            return None
        made = self.made(best)
        if not all(some == best or self._same(self.made(some), made) for some in fitting):
            return None
        given = OutputsByCase(made, self._cases)
        if not self._seen(given).takes_work or self._changes_inputs(made):
            return None
        return replace(
            made,
            name=TOGETHER.join(self.edits[one].name for one in best),
            hints=tuple(Hint(_sentence(self.edits[one].said), self._section) for one in best),
            variant=partial(run, self.key.solution, made.edits),
        )

    @property
    def _section(self) -> int:
        return self.key.exercise.section

    def _same(self, one: KnownMistake, two: KnownMistake) -> bool:
        """Whether two mistakes give the same outputs on new inputs."""
        exercise = self.key.exercise
        for seed in _ANEW:
            cases = solutions.cases(exercise, seed)
            expected = solutions.expected(exercise, self.key.solution, seed)
            first, second = OutputsByCase(one, cases), OutputsByCase(two, cases)
            with np.errstate(all="ignore"):
                for name, case in cases.items():
                    other = _observed(case, expected[name], second[name])
                    if not gives(first[name], other):
                        return False
        return True

    def _changes_inputs(self, made: KnownMistake) -> bool:
        """Whether a mistake changes its inputs, which other mistakes also get."""
        assert made.solution is not None
        for case in self._cases.values():
            inputs = copy.deepcopy(dict(case.inputs))
            with contextlib.suppress(Exception), np.errstate(all="ignore"):
                run(made.solution, made.edits, **inputs)
            if not all(identical(inputs[name], value) for name, value in case.inputs.items()):
                return True
        return False

    def _seen(self, given: OutputsByCase) -> Seen:
        return Seen(
            (name, _observed(case, self._expected[name], given[name]))
            for name, case in self._cases.items()
        )


def _sentence(said: Said) -> str:
    return f"Your results are as if {said}."


def _collide(one: Edit, two: Edit) -> bool:
    if (one.module, one.function) != (two.module, two.function):
        return False
    same_start = one.start == two.start and (one.start < one.stop) == (two.start < two.stop)
    overlap = one.start < two.stop and two.start < one.stop
    return (
        one.stated == two.stated or same_start or overlap or _within(one, two) or _within(two, one)
    )


def _within(edit: Edit, inner: Edit) -> bool:
    """Whether an edit changes the inside of a part of its text that another one states."""
    start, stop = inner.stated
    around = edit.stated[0] <= start and stop <= edit.stated[1]
    return around and edit.start < stop and start < edit.stop


def _observed(case: Case, expected: Expected, outputs: Mapping[str, Any] | None) -> Observation:
    return Observation(case, expected, Failure("ValueError", "") if outputs is None else outputs)


def _fingerprint(outputs: Mapping[str, Any] | None) -> str:
    """Equal for outputs that are equal up to rounding."""
    if outputs is None:
        return "failed"
    digest = hashlib.sha256()
    for name, value in sorted(outputs.items(), key=lambda item: str(item[0])):
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            with np.errstate(all="ignore"):
                value = [value.shape, np.round(value.astype(np.float64), 6).tolist()]
        digest.update(repr((name, value)).encode())
    return digest.hexdigest()


@cache
def _pool(key: Key) -> _Pool:
    return _Pool(key)


class _Trial:
    """Candidates tried on one answer.

    Args:
        pool: the candidates.
        seed: the seed of the answer's inputs.
        seen: what the answer gave.
    """

    def __init__(self, pool: _Pool, seed: int, seen: Seen) -> None:
        self._pool = pool
        self._runs_left, self._seconds = _RUNS, 0.0
        self._seen = seen
        self._wrong: dict[str, frozenset[str]] = {
            name: frozenset(output for case, output in seen.wrong if case == name) for name in seen
        }
        self._cases = solutions.cases(pool.key.exercise, seed)
        self._order = sorted(seen, key=lambda name: _size(self._cases[name]))
        self._gives: dict[tuple[int, str], bool] = {}
        # That a call fails says nothing of why.
        self._only_fails = all(isinstance(seen[name].received, Failure) for name, _ in seen.wrong)

    def fits(self, which: _Some) -> bool:
        """Whether some candidates give the answer's outputs in every case."""
        if self._only_fails:
            return False
        if len(which) == 1:
            (one,) = which
            return all(
                self._pool.wrong(one, name) - self._excused(name) == self._wrong[name]
                and self.gives(one, name)
                for name in self._order
            )
        outputs = OutputsByCase(self._pool.made(which), self._cases)
        return all(self._given(outputs, name) for name in self._order)

    def gives(self, one: int, name: str) -> bool:
        """Whether a candidate alone gives the answer's outputs in a case."""
        if (one, name) not in self._gives:
            outputs = OutputsByCase(self._pool.made((one,)), self._cases)
            self._gives[one, name] = self._given(outputs, name)
        return self._gives[one, name]

    def _excused(self, name: str) -> frozenset[str]:
        return self._seen[name].excused

    def _given(self, outputs: OutputsByCase, name: str) -> bool:
        if not self._runs_left or self._seconds > _SECONDS:
            raise _OutOfRuns
        self._runs_left -= 1
        began = time.process_time()
        with np.errstate(all="ignore"):
            same = gives(outputs[name], self._seen[name], outputs.made.failure)
        self._seconds += time.process_time() - began
        return same

    def pairs(self, among: Iterable[int], limit: float) -> list[_Some]:
        """Two candidates at once that give the answer's outputs in every case.

        What one of them gets wrong must be wrong with both: that one makes up for the other is too
        far-fetched. If there are no runs left, those are returned of which all that are as likely
        were tried as well.

        Args:
            among: the candidates.
            limit: the highest sum of two ranks.
        """
        within = self._pool.distinct(
            one
            for one in among
            if all(
                self._pool.wrong(one, name) - self._excused(name) <= self._wrong[name]
                for name in self._order
            )
        )
        ranks: dict[_Some, float] = {
            pair: rank
            for pair in itertools.combinations(within[:_AT_MOST], 2)
            if (rank := self._pool.rank(pair)) <= limit
        }
        found: list[_Some] = []
        for pair in sorted(ranks, key=ranks.__getitem__):
            try:
                possible = not self._pool.collide(*pair) and self._possible(*pair)
                if possible and self.fits(pair):
                    found.append(pair)
            except _OutOfRuns:
                return [other for other in found if ranks[other] < ranks[pair]]
        return found

    def _possible(self, one: int, two: int) -> bool:
        """Whether each explains the cases that it alone gets wrong, and none is left over."""
        for name in self._order:
            first, second = self._pool.wrong(one, name), self._pool.wrong(two, name)
            if (first | second) - self._excused(name) != self._wrong[name]:
                return False
            if first and not second and not self.gives(one, name):
                return False
            if second and not first and not self.gives(two, name):
                return False
        return True


def _size(case: Case) -> int:
    return sum(
        value.size
        if isinstance(value, np.ndarray)
        else len(value)
        if hasattr(value, "__len__")
        else 1
        for value in case.inputs.values()
    )


@lru_cache(maxsize=64)
def _edited(solution: FunctionType, edits: frozenset[Edit]) -> FunctionType:
    return edited(solution, edits)


def _run_safely(solution: FunctionType, edits: frozenset[Edit]) -> Callable[..., Mapping[str, Any]]:
    """An edited solution that can't change its inputs, which others also get."""

    def run(**inputs: Any) -> Mapping[str, Any]:
        locked = {name: _locked(value) for name, value in inputs.items()}
        try:
            return _edited(solution, edits)(**locked)
        except MemoryError:
            raise ValueError("it takes too much memory") from None

    return run


def _locked(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return copy.deepcopy(value)
    view = value.view()
    view.flags.writeable = False
    return view
