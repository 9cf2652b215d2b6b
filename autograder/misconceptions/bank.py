"""What a misconception is, and where a topic keeps its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from autograder.misconceptions.edits import Edit, find, run
from autograder.reference import Reference
from autograder.reference import function as solution_of
from course import exercises
from course.verdicts import Hint, told


@dataclass(frozen=True)
class Misconception:
    """A wrong idea about an exercise.

    Args:
        name: in snake case.
        hints: one; two where two mistakes are made at once.
        variant: has the parameters and outputs of the exercise's reference; raises ValueError or
            IndexError where a student's code would fail on its shapes.
        solution, edits: where the variant is the solution with some edits, what these are.
        alone: whether it is not looked for together with others.
    """

    name: str
    hints: tuple[Hint, ...]
    variant: Reference
    solution: Reference | None = None
    edits: frozenset[Edit] = frozenset()
    alone: bool = True

    @classmethod
    def edit(
        cls,
        name: str,
        hints: tuple[Hint, ...],
        solution: Reference,
        edits: frozenset[Edit],
        alone: bool,
    ) -> Misconception:
        """A solution with some edits."""
        return cls(name, hints, partial(run, solution, edits), solution, edits, alone)

    @property
    def hint(self) -> str:
        """What a student reads."""
        return told(self.hints)

    def fits(self, other: Misconception) -> bool:
        """Whether a student can have both wrong ideas at once: they are about different parts."""
        if self.alone or other.alone:
            return False
        return not any(one.overlaps(two) for one in self.edits for two in other.edits)

    def joined(self, other: Misconception) -> Misconception:
        """Both wrong ideas at once."""
        name, hints = f"{self.name} and {other.name}", (*self.hints, *other.hints)
        return self.edit(name, hints, self.solution, self.edits | other.edits, alone=False)


class Bank:
    """The misconceptions of one topic."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._by_exercise: dict[str, list[Misconception]] = {}

    def mistake(
        self,
        function: str,
        name: str,
        hint: str,
        *changes: str,
        section: int | None = None,
        alone: bool = False,
    ) -> None:
        """A mistake that is an edit of the solution.

        Args:
            function: the solution.
            name: in snake case.
            hint: one sentence.
            changes: texts that stand once in the solution or in what that calls, each followed by
                what takes its place.
            section: of the lesson, where another explains it than the one that asks the exercise.
            alone: not looked for together with others. Every two of them cost time, and room on
                the answer sheet.

        Raises:
            EditError: when a text does not stand there exactly once.
        """
        edits = self._found(function, changes)
        self._edited(function, name, self._pointed(function, hint, section), edits, alone)

    def inherit(
        self,
        function: str,
        name: str,
        hint: str,
        earlier: str,
        *changes: str,
        section: int,
        alone: bool = False,
    ) -> None:
        """A mistake of an earlier task, in a solution that calls the solution of that task.

        Args:
            function: the solution.
            name: of the mistake here.
            hint: one sentence.
            earlier: the solution that it calls, a dot, and the mistake's name there.
            changes: of the solution itself, beside those of the earlier one.
            section: of the lesson, which explains it.
            alone: as in ``mistake``.
        """
        solution, _, called = earlier.partition(".")
        (known,) = (one for one in self._known(solution) if one.name == called)
        edits = known.edits | self._found(function, changes)
        self._edited(function, name, Hint(hint, section), edits, alone)

    def _found(self, function: str, changes: Sequence[str]) -> frozenset[Edit]:
        solved = self._solution(function)
        pairs = zip(changes[::2], changes[1::2], strict=True)
        return frozenset(find(solved, old, new) for old, new in pairs)

    def _edited(
        self, function: str, name: str, hint: Hint, edits: frozenset[Edit], alone: bool
    ) -> None:
        made = Misconception.edit(name, (hint,), self._solution(function), edits, alone)
        self._known(function).append(made)

    def _solution(self, function: str) -> Reference:
        return solution_of(exercises.get(f"{self._topic}.{function}"))

    def add(
        self, function: str, hint: str, section: int | None = None
    ) -> Callable[[Reference], Reference]:
        """Decorate a function that stands in the solution's place; it gives the name.

        For what is not an edit of the solution but another way to compute something else.

        Args:
            function: the reference function.
            hint: one sentence.
            section: of the lesson, where another explains it than the one that asks the exercise.
        """
        pointed = self._pointed(function, hint, section)

        def register(variant: Reference) -> Reference:
            self._known(function).append(Misconception(variant.__name__, (pointed,), variant))
            return variant

        return register

    def of(self, exercise: str) -> list[Misconception]:
        """An exercise's misconceptions, in the order in which they were written."""
        return self._by_exercise.get(exercise, [])

    def _known(self, function: str) -> list[Misconception]:
        return self._by_exercise.setdefault(f"{self._topic}.{function}", [])

    def _pointed(self, function: str, hint: str, section: int | None) -> Hint:
        asked = exercises.get(f"{self._topic}.{function}").section
        return Hint(hint, section or asked)
