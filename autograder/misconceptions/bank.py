"""What a misconception is, and where a topic keeps its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from autograder.reference import Reference
from course.verdicts import both


@dataclass(frozen=True)
class Misconception:
    """A wrong idea about an exercise.

    Args:
        name: in snake case.
        hint: one sentence that leads to the mistake without giving the line away.
        variant: has the parameters and outputs of the exercise's reference; raises ValueError or
            IndexError where a student's code would fail on its shapes.
        build: where the variant is a right answer but for some parts, what makes it of them.
        parts: these parts, by what ``build`` calls them.
    """

    name: str
    hint: str
    variant: Reference
    build: Callable[..., Mapping[str, Any]] | None = None
    parts: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, other: Misconception) -> bool:
        """Whether a student can have both wrong ideas at once: they are about different parts."""
        same = self.build is not None and self.build is other.build
        return same and not self.parts.keys() & other.parts.keys()

    def joined(self, other: Misconception) -> Misconception:
        """Both wrong ideas at once."""
        parts = {**self.parts, **other.parts}
        variant = partial(self.build, **parts)
        hint = both(self.hint, other.hint)
        return Misconception(f"{self.name} and {other.name}", hint, variant, self.build, parts)


class Bank:
    """The misconceptions of one topic."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._by_exercise: dict[str, list[Misconception]] = {}

    def add(self, function: str, hint: str) -> Callable[[Reference], Reference]:
        """Decorate a variant of a reference function of this topic; it gives the name."""

        def register(variant: Reference) -> Reference:
            self._known(function).append(Misconception(variant.__name__, hint, variant))
            return variant

        return register

    def parts_of(
        self, function: str, build: Callable[..., Mapping[str, Any]]
    ) -> Callable[..., None]:
        """For variants that are right but for some parts.

        Args:
            function: the reference function.
            build: a right answer, of which parts can be exchanged by keyword.

        Returns:
            A function that takes a misconception's name, its hint, and the wrong parts.
        """

        def register(name: str, hint: str, **parts: Any) -> None:
            variant = partial(build, **parts)
            self._known(function).append(Misconception(name, hint, variant, build, parts))

        return register

    def of(self, exercise: str) -> list[Misconception]:
        """An exercise's misconceptions, in the order in which they were written."""
        return self._by_exercise.get(exercise, [])

    def _known(self, function: str) -> list[Misconception]:
        return self._by_exercise.setdefault(f"{self._topic}.{function}", [])
