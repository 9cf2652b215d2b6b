"""An exercise's key: its solution, and what people get wrong about it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import FunctionType

from autograder.judging.edits import Edit, EditError, find, run
from autograder.judging.solutions import Solution
from selfcheck import Course, Exercise
from selfcheck.verdicts import Hint, told


@dataclass(frozen=True)
class Misconception:
    """A wrong idea about an exercise.

    Args:
        name: in snake case.
        hints: one; two where two mistakes are made at once.
        variant: has the parameters and outputs of the exercise's solution; raises ValueError or
            IndexError where a student's code would fail on its shapes.
        solution, edits: where the variant is the solution with some edits, what these are.
        alone: whether it is not looked for together with others.
        family: of mistakes that are not looked for together; "" is none.
    """

    name: str
    hints: tuple[Hint, ...]
    variant: Solution
    solution: Solution | None = None
    edits: frozenset[Edit] = frozenset()
    alone: bool = True
    family: str = ""

    @classmethod
    def edit(
        cls,
        name: str,
        hints: tuple[Hint, ...],
        solution: Solution,
        edits: frozenset[Edit],
        alone: bool,
        family: str = "",
    ) -> Misconception:
        """A solution with some edits."""
        return cls(name, hints, partial(run, solution, edits), solution, edits, alone, family)

    @property
    def hint(self) -> str:
        """What a student reads."""
        return told(self.hints)

    def fits(self, other: Misconception) -> bool:
        """Whether a student can have both wrong ideas at once: they are about different parts."""
        if self.alone or other.alone or (self.family and self.family == other.family):
            return False
        return not any(one.overlaps(two) for one in self.edits for two in other.edits)

    def joined(self, other: Misconception) -> Misconception:
        """Both wrong ideas at once."""
        name, hints = f"{self.name} and {other.name}", (*self.hints, *other.hints)
        return self.edit(name, hints, self.solution, self.edits | other.edits, alone=False)


class Key:
    """What instructors know of an exercise.

    Args:
        exercise: what students are asked.
        solution: a function with the parameters named in ``Case.inputs``, which returns the outputs
            named in ``axes``, computed in float64.

    Attributes:
        misconceptions: in the order in which they were stated.
    """

    def __init__(self, exercise: Exercise, solution: FunctionType) -> None:
        self.exercise = exercise
        self.solution = solution
        self.misconceptions: list[Misconception] = []

    def mistake(
        self,
        name: str,
        hint: str,
        *changes: str,
        section: int | None = None,
        alone: bool = False,
    ) -> None:
        """A mistake that is an edit of the solution.

        Args:
            name: in snake case.
            hint: one sentence.
            changes: texts that are once in the solution or in what that calls, each followed by
                what takes its place.
            section: of the lesson, where another explains it than the one that asks the exercise.
            alone: not looked for together with others. Every two of them cost time, and room on
                the answer sheet.

        Raises:
            EditError: when a text isn't there exactly once.
        """
        self._add_edit(name, self._pointed(name, hint, section), self._found(name, changes), alone)

    def inherit(
        self,
        earlier: Misconception,
        hint: str,
        *changes: str,
        section: int,
        name: str = "",
        alone: bool = False,
        family: str = "",
    ) -> None:
        """A mistake of an earlier exercise, whose solution this one calls.

        Args:
            earlier: the mistake.
            hint: one sentence.
            changes: of the solution itself, beside those of the earlier one.
            section: of the lesson, which explains it.
            name: of the mistake here, if not that of the earlier one.
            alone: as in ``mistake``.
            family: two of the same family are not looked for together. Where the earlier exercise
                is graded in the same lesson, both are found there.

        Raises:
            EditError: as in ``mistake``.
        """
        if not isinstance(earlier, Misconception):
            raise EditError(f"inherit() takes KEY.find({earlier!r}) of the earlier exercise's key")
        edits = earlier.edits | self._found(name or earlier.name, changes)
        pointed = Hint(hint, section)
        self._add_edit(name or earlier.name, pointed, edits, alone, family)

    def add(self, hint: str, section: int | None = None) -> Callable[[Solution], Solution]:
        """Decorate a function that takes the solution's place; it gives the mistake its name.

        For what is not an edit of the solution but another way to compute something else.

        Args:
            hint: one sentence.
            section: of the lesson, where another explains it than the one that asks the exercise.
        """
        pointed = self._pointed("", hint, section)

        def register(variant: Solution) -> Solution:
            self.misconceptions.append(Misconception(variant.__name__, (pointed,), variant))
            return variant

        return register

    def find(self, name: str) -> Misconception:
        """The known mistake of a name.

        Raises:
            KeyError: when there is none.
        """
        for misconception in self.misconceptions:
            if misconception.name == name:
                return misconception
        raise KeyError(f"{self.exercise.name} has no known mistake {name!r}")

    def _found(self, name: str, changes: Sequence[str]) -> frozenset[Edit]:
        if len(changes) % 2:
            raise EditError(
                f"the mistake {name!r} has {len(changes)} texts: each text to replace is followed "
                "by what takes its place"
            )
        pairs = zip(changes[::2], changes[1::2], strict=True)
        try:
            return frozenset(find(self.solution, old, new) for old, new in pairs)
        except EditError as error:
            raise EditError(f"the mistake {name!r}: {error}") from None

    def _add_edit(
        self, name: str, hint: Hint, edits: frozenset[Edit], alone: bool, family: str = ""
    ) -> None:
        made = Misconception.edit(name, (hint,), self.solution, edits, alone, family)
        self.misconceptions.append(made)

    def _pointed(self, name: str, hint: str, section: int | None) -> Hint:
        if not isinstance(hint, str):
            what = f"the mistake {name!r}" if name else '@KEY.add("...")'
            raise EditError(f"{what} takes a hint, one sentence, and got a {type(hint).__name__}")
        return Hint(hint, section or self.exercise.section)


def key_of(course: Course, name: str) -> Key:
    """Find an exercise's key.

    Args:
        course: the course.
        name: of the exercise.

    Raises:
        UnknownExercise: when no exercise has this name.
        ImportError: when the instructors' package lacks its key.
    """
    course.get(name)
    module = importlib.import_module(f"{course.keys}.{name}")
    if not isinstance(getattr(module, "KEY", None), Key):
        raise ImportError(f"{module.__file__} has no KEY = Key(...)")
    if module.KEY.exercise.name != name:
        raise ImportError(f"{module.__file__} has the key of {module.KEY.exercise.name}")
    return module.KEY
