"""The public half of every exercise, by name."""

from __future__ import annotations

import difflib

from course.exercises import (
    attention,
    conv1d,
    documents,
    fastformer,
    preprocessing,
    transformer,
)
from course.exercises.base import (
    Aspect,
    Case,
    Exercise,
    Expected,
    Failure,
    Observation,
    Untransferable,
    WrongReturn,
    WrongWeights,
)

__all__ = [
    "Aspect",
    "Case",
    "Exercise",
    "Expected",
    "Failure",
    "Observation",
    "UnknownExercise",
    "Untransferable",
    "WrongReturn",
    "WrongWeights",
    "get",
    "names",
]

_EXERCISES = {
    exercise.name: exercise
    for module in (preprocessing, conv1d, attention, transformer, documents, fastformer)
    for exercise in module.EXERCISES
}


class UnknownExercise(KeyError):
    """No exercise has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


def get(name: str) -> Exercise:
    """Find an exercise.

    Args:
        name: such as ``"attention.average_attention"``.

    Raises:
        UnknownExercise: when there is none, with the nearest name.

    Example:
        >>> get("attention.average_attention").lesson
        '03-attention'
    """
    try:
        return _EXERCISES[name]
    except (KeyError, TypeError):
        near = difflib.get_close_matches(str(name), _EXERCISES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(_EXERCISES)}"
        raise UnknownExercise(f"No exercise is called {name!r}: {hint}") from None


def names(lesson: str | None = None) -> list[str]:
    """The names of all exercises, or of one lesson's, in the order in which they are asked."""
    return [name for name, ex in _EXERCISES.items() if lesson in (None, ex.lesson)]
