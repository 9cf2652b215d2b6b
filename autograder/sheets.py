"""Answer sheets: what students' own checks compare with, written from the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder import misconceptions, reference
from course import answers, exercises
from course.exercises import Case, Expected, Observation
from course.verdicts import Mistake, Sketch, same_value


def write(name: str) -> str:
    """The text of an exercise's answer sheet.

    Args:
        name: the exercise.
    """
    exercise = exercises.get(name)
    seed = answers.PUBLISHED_SEED
    expected = reference.expected(exercise, seed)
    mistakes = misconceptions.mistakes(exercise, seed)
    cases = exercise.cases(seed)
    pairs = misconceptions.pairs(exercise, seed)
    short = ([_abridged(one, cases, expected) for one in known] for known in (mistakes, pairs))
    return answers.dump(expected, *short)


def _abridged(mistake: Mistake, cases: Sequence[Case], expected: Mapping[str, Expected]) -> Mistake:
    """The mistake with only the outputs that differ from the right ones, arrays by a sketch."""
    kept: dict[str, dict[str, Any] | None] = {}
    for case in cases:
        outputs = mistake.outputs[case.name]
        right = Observation(case, expected[case.name], expected[case.name].outputs)
        kept[case.name] = outputs and {
            name: _sketched(value, case.free.get(name, False))
            for name, value in outputs.items()
            if not same_value(name, right.received[name], value, right)
        }
    return Mistake(mistake.name, mistake.hints, kept)


def _sketched(value: Any, free: np.ndarray | bool) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    return Sketch.of(value, free if np.shape(free) == value.shape else False)
