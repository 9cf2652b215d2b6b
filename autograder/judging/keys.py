"""An exercise's key: its solution and its known mistakes."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Self

from autograder.errors import CourseError
from autograder.judging.edits import Edit, EditError, find_edit, run
from autograder.judging.solutions import Solution
from selfcheck import Course, Exercise
from selfcheck.explaining import TOGETHER, Hint, hints_text


class Cost(StrEnum):
    """The kinds of mistakes: a teacher sets the percentage of the points that each one costs."""

    SLIP = "slip"
    """The idea is right, and a sign, an axis or a number is wrong."""
    IDEA = "wrong idea"
    """Something different was computed than what the task asks for."""
    PART = "missing part"
    """Something that the task asks for was left out."""


SLIP, IDEA, PART = Cost


@dataclass(frozen=True, eq=False)
class KnownMistake:
    """A known mistake in an exercise.

    Args:
        name: in snake case.
        hints: one; two if two mistakes are made at once.
        variant: has the parameters and outputs of the exercise's solution; raises ValueError or
            IndexError where a student's code would fail on its shapes.
        solution, edits: the solution and the edits, if the variant is an edited solution.
        paired: whether the answer sheet also has it together with others.
        family: the name of a group of mistakes that aren't looked for together; "" for none.
        costs: one per hint.
        failure: if the variant fails, a pattern for the exception's class or message; "" for a
            wrong shape, size or value.
        combined: whether it's several at once, which may fail in ways that none of them does.
    """

    name: str
    hints: tuple[Hint, ...]
    variant: Solution
    solution: Solution | None = None
    edits: frozenset[Edit] = frozenset()
    paired: bool = False
    family: str = ""
    costs: tuple[Cost, ...] = (IDEA,)
    failure: str = ""
    combined: bool = False

    @classmethod
    def edit(cls, name: str, solution: Solution, edits: frozenset[Edit], **more: Any) -> Self:
        """A solution with some edits; ``more`` are the other arguments."""
        variant = partial(run, solution, edits)
        return cls(name, variant=variant, solution=solution, edits=edits, **more)

    @property
    def names(self) -> tuple[str, ...]:
        """One per hint."""
        return tuple(self.name.split(TOGETHER)) if self.name else ()

    @property
    def hint(self) -> str:
        """The text for the student."""
        return hints_text(self.hints)

    def fits(self, other: KnownMistake) -> bool:
        """Whether a student can have both wrong ideas at once, about different parts."""
        own, others = self.edits - other.edits, other.edits - self.edits
        if not own or not others or (self.family and self.family == other.family):
            return False
        return not any(one.overlaps(two) for one in own for two in others)

    def joined(self, other: KnownMistake) -> KnownMistake:
        """Both wrong ideas at once."""
        assert self.solution is not None  # they fit, so both are edits of it
        return self.edit(
            f"{self.name}{TOGETHER}{other.name}",
            self.solution,
            self.edits | other.edits,
            hints=(*self.hints, *other.hints),
            costs=(*self.costs, *other.costs),
            failure="|".join(filter(None, (self.failure, other.failure))),
            paired=True,
            family=self.family or other.family,
            combined=True,
        )

    def on(self, earlier: KnownMistake) -> KnownMistake | None:
        """The same wrong idea on top of another one, which isn't counted; None if both change the
        same place, or this one isn't an edit."""
        if not self.edits or self.solution is None:
            return None
        if any(one.overlaps(two) for one in self.edits for two in earlier.edits):
            return None
        both = self.edits | earlier.edits
        failure = "|".join(filter(None, (earlier.failure, self.failure)))
        variant = partial(run, self.solution, both)
        return replace(self, variant=variant, edits=both, failure=failure, combined=True)


class Key:
    """The instructors' half of an exercise.

    Args:
        exercise: the students' half.
        solution: a function with the parameters named in ``Case.inputs``, which returns the outputs
            named in ``axes``, computed in float64.
        mutant_sample: ``autograder audit`` judges one in this many mutants, or all with
            ``--every-mutant``: an answer that takes a second to run also has hundreds of
            mutants, and answers in different styles have much the same ones.

    Attributes:
        mistakes: in the order of their definition.
    """

    def __init__(self, exercise: Exercise, solution: FunctionType, mutant_sample: int = 1) -> None:
        self.exercise = exercise
        self.solution = solution
        self.mutant_sample = mutant_sample
        self.mistakes: list[KnownMistake] = []

    def mistake(
        self,
        name: str,
        hint: str,
        *changes: str,
        section: int | None = None,
        paired: bool = False,
        cost: Cost = IDEA,
        failure: str = "",
    ) -> None:
        """A mistake that is an edit of the solution.

        Args:
            name: in snake case.
            hint: one sentence.
            changes: texts that occur once in the solution or in functions that it calls, each
                followed by its replacement.
            section: the lesson's section that explains it, if it isn't the exercise's own.
            paired: whether the answer sheet also has it together with others that are paired:
                there is no room for all pairs. The judge looks for more of them.
            cost: its kind of cost.
            failure: if a student's code fails with something other than a wrong shape, size or
                value, a pattern for the exception's class or message. The edited solution may then
                also raise TypeError.

        Raises:
            EditError: when a text isn't there exactly once.
        """
        pointed, edits = self._pointed(name, hint, section), self._found(name, changes)
        self._add_edit(name, pointed, edits, paired=paired, costs=(cost,), failure=failure)

    def inherit(
        self,
        earlier: KnownMistake,
        hint: str,
        *changes: str,
        section: int,
        name: str = "",
        paired: bool = False,
        family: str = "",
    ) -> None:
        """A mistake of an earlier exercise, whose solution this one calls.

        Args:
            earlier: the mistake.
            hint: one sentence.
            changes: edits of the solution itself, besides those of the earlier one.
            section: the lesson's section that explains it.
            name: the mistake's name here, if it differs from the earlier one's.
            paired: see ``mistake``.
            family: two of the same family aren't looked for together. If the earlier exercise is
                graded in the same lesson, both are found there.

        Raises:
            EditError: see ``mistake``.
        """
        if not isinstance(earlier, KnownMistake):
            raise EditError(f"inherit() takes KEY.find({earlier!r}) of the earlier exercise's key")
        edits = earlier.edits | self._found(name or earlier.name, changes)
        more = {"paired": paired, "family": family, "costs": earlier.costs}
        more["failure"] = earlier.failure
        self._add_edit(name or earlier.name, Hint(hint, section), edits, **more)

    def add(
        self, hint: str, section: int | None = None, cost: Cost = IDEA
    ) -> Callable[[Solution], Solution]:
        """Decorate a function that replaces the solution; the mistake gets the function's name.

        Use it for a mistake that isn't an edit of the solution but a different computation.

        Args:
            hint: one sentence.
            section: the lesson's section that explains it, if it isn't the exercise's own.
            cost: its kind of cost.
        """
        pointed = self._pointed("", hint, section)

        def register(variant: Solution) -> Solution:
            made = KnownMistake(variant.__name__, (pointed,), variant, costs=(cost,))
            self.mistakes.append(made)
            return variant

        return register

    def find(self, name: str) -> KnownMistake:
        """The known mistake with a name.

        Raises:
            KeyError: when there is none.
        """
        for mistake in self.mistakes:
            if mistake.name == name:
                return mistake
        raise KeyError(f"{self.exercise.name} has no known mistake {name!r}")

    def _found(self, name: str, changes: Sequence[str]) -> frozenset[Edit]:
        if len(changes) % 2:
            raise EditError(
                f"the mistake {name!r} has {len(changes)} texts: each text to replace must be "
                "followed "
                "by its replacement"
            )
        pairs = zip(changes[::2], changes[1::2], strict=True)
        try:
            return frozenset(find_edit(self.solution, old, new) for old, new in pairs)
        except EditError as error:
            raise EditError(f"the mistake {name!r}: {error}") from None

    def _add_edit(self, name: str, hint: Hint, edits: frozenset[Edit], **more: Any) -> None:
        made = KnownMistake.edit(name, self.solution, edits, hints=(hint,), **more)
        self.mistakes.append(made)

    def _pointed(self, name: str, hint: str, section: int | None) -> Hint:
        if not isinstance(hint, str):
            what = f"the mistake {name!r}" if name else '@KEY.add("...")'
            raise EditError(f"{what} takes a hint, one sentence, but got a {type(hint).__name__}")
        return Hint(hint, section or self.exercise.section)


def key_of(course: Course, name: str) -> Key:
    """Find an exercise's key.

    Args:
        course: the course.
        name: of the exercise.

    Raises:
        UnknownExercise: when no exercise has this name.
        CourseError: when the instructors' package lacks its key, or the key can't be loaded.
    """
    course.get(name)
    try:
        return _loaded(course, name)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise CourseError(f"the key of {name} can't be loaded: {problem}") from error


def _loaded(course: Course, name: str) -> Key:
    module = _module(course, name)
    if not isinstance(getattr(module, "KEY", None), Key):
        raise ImportError(f"{module.__file__} has no KEY = Key(...)")
    if module.KEY.exercise.name != name:
        raise ImportError(f"{module.__file__} has the key of {module.KEY.exercise.name}")
    return module.KEY


def key_file(course: Course, name: str) -> Path:
    """The file with an exercise's key; takes what ``key_of`` takes."""
    return Path(str(_module(course, name).__file__))


def _module(course: Course, name: str) -> ModuleType:
    return importlib.import_module(f"{course.keys}.{name}")
