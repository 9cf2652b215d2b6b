"""Answer sheets: what students' own checks compare with, written from the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder import misconceptions, reference
from course import answers, exercises
from course.exercises import Case, Expected, Observation
from course.verdicts import Mistake, same_value

# Two cases name a mistake; a sheet with all of them would be ten times as large.
_CASES_A_MISTAKE = 2


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
    return answers.dump(expected, [_abridged(mistake, cases, expected) for mistake in mistakes])


def _abridged(mistake: Mistake, cases: Sequence[Case], expected: Mapping[str, Expected]) -> Mistake:
    """The mistake with only the outputs that differ from the right ones, in its first cases."""
    kept: dict[str, dict[str, Any] | None] = {}
    wrong_cases = 0
    for case in cases:
        outputs = mistake.outputs[case.name]
        right = Observation(case, expected[case.name], expected[case.name].outputs)
        wrong = outputs and {
            name: values
            for name, values in outputs.items()
            if not same_value(name, right.received[name], values, right)
        }
        wrong_cases += wrong != {}
        if wrong_cases <= _CASES_A_MISTAKE or wrong == {}:
            kept[case.name] = wrong
    return Mistake(mistake.name, mistake.hint, kept)
