"""Answer sheets: what students' own checks compare with, written from the keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.judging import mistakes as known_mistakes
from autograder.judging import solutions
from autograder.judging.keys import Key
from selfcheck import Case, Expected, Observation, sheets
from selfcheck.comparing import Sketch, same_value
from selfcheck.verdicts import Mistake


def write(key: Key) -> str:
    """The text of an exercise's answer sheet."""
    seed = sheets.PUBLISHED_SEED
    expected = solutions.expected(key.exercise, key.solution, seed)
    mistakes = known_mistakes.mistakes(key, seed)
    cases = key.exercise.cases(seed)
    pairs = known_mistakes.pairs(key, seed)
    short = ([_abridged(one, cases, expected) for one in known] for known in (mistakes, pairs))
    return sheets.dump(expected, *short)


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
