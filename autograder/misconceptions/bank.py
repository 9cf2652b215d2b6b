"""What a misconception is, and where a topic keeps its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from autograder.reference import Reference
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
        build: where the variant is a right answer but for some parts, and is looked for together
            with others of this kind, what makes it of them.
        parts: these parts, by what ``build`` calls them.
    """

    name: str
    hints: tuple[Hint, ...]
    variant: Reference
    build: Callable[..., Mapping[str, Any]] | None = None
    parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hint(self) -> str:
        """What a student reads."""
        return told(self.hints)

    def fits(self, other: Misconception) -> bool:
        """Whether a student can have both wrong ideas at once: they are about different parts."""
        same = self.build is not None and self.build is other.build
        return same and not self.parts.keys() & other.parts.keys()

    def joined(self, other: Misconception) -> Misconception:
        """Both wrong ideas at once."""
        parts = {**self.parts, **other.parts}
        variant = partial(self.build, **parts)
        hints = (*self.hints, *other.hints)
        return Misconception(f"{self.name} and {other.name}", hints, variant, self.build, parts)


class Bank:
    """The misconceptions of one topic."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._by_exercise: dict[str, list[Misconception]] = {}

    def add(
        self, function: str, hint: str, section: int | None = None
    ) -> Callable[[Reference], Reference]:
        """Decorate a variant of a reference function of this topic; it gives the name.

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

    def parts_of(
        self, function: str, build: Callable[..., Mapping[str, Any]], *, paired: bool = True
    ) -> Callable[..., None]:
        """For variants that are right but for some parts.

        Args:
            function: the reference function.
            build: a right answer, of which parts can be exchanged by keyword.
            paired: whether they are also looked for together with others. Every two of them cost
                time, and room on the answer sheet.

        Returns:
            A function that takes a misconception's name, its hint, perhaps a section as in
            ``add``, and the wrong parts.
        """

        def register(name: str, hint: str, section: int | None = None, **parts: Any) -> None:
            variant, pointed = partial(build, **parts), self._pointed(function, hint, section)
            self._known(function).append(
                Misconception(name, (pointed,), variant, build if paired else None, parts)
            )

        return register

    def of(self, exercise: str) -> list[Misconception]:
        """An exercise's misconceptions, in the order in which they were written."""
        return self._by_exercise.get(exercise, [])

    def _known(self, function: str) -> list[Misconception]:
        return self._by_exercise.setdefault(f"{self._topic}.{function}", [])

    def _pointed(self, function: str, hint: str, section: int | None) -> Hint:
        asked = exercises.get(f"{self._topic}.{function}").section
        return Hint(hint, section or asked)
