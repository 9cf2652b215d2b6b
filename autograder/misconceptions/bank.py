"""What a misconception is, and where a topic keeps its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from autograder.reference import Reference


@dataclass(frozen=True)
class Misconception:
    """A wrong idea about an exercise.

    Args:
        hint: one sentence that leads to the mistake without giving the line away.
        variant: has the parameters and outputs of the exercise's reference; raises ValueError or
            IndexError where a student's code would fail on its shapes.
    """

    hint: str
    variant: Reference

    @property
    def name(self) -> str:
        """The variant's name."""
        return self.variant.__name__


class Bank:
    """The misconceptions of one topic."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._by_exercise: dict[str, list[Misconception]] = {}

    def add(self, function: str, hint: str) -> Callable[[Reference], Reference]:
        """Decorate a variant of a reference function of this topic."""

        def register(variant: Reference) -> Reference:
            known = self._by_exercise.setdefault(f"{self._topic}.{function}", [])
            known.append(Misconception(hint, variant))
            return variant

        return register

    def of(self, exercise: str) -> list[Misconception]:
        """An exercise's misconceptions, in the order in which they were written."""
        return self._by_exercise.get(exercise, [])
