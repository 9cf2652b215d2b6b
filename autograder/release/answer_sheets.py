"""Write answer sheets from the keys, for comparison in students' own checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.judging import solutions
from autograder.judging.keys import Key
from autograder.judging.marking import Marking
from autograder.judging.mistakes import ComputedMistakes
from selfcheck import Expected, sheets
from selfcheck.equality import Digest, Sketch
from selfcheck.explaining import EvaluatedMistake

MOST_BYTES = 1_000_000
"""The maximum size of this course's answer sheets, all together: every student downloads them."""


def sheet_text(key: Key) -> str:
    """The text of an exercise's answer sheet."""
    seed = sheets.PUBLISHED_SEED
    expected = solutions.expected(key.exercise, key.solution, seed)
    known = ComputedMistakes(key, seed, Marking())
    free = {case.name: case.free for case in key.exercise.cases(seed)}
    return sheets.dump(
        key.exercise,
        expected,
        *(
            (_abridged(one, expected, free) for one in several)
            for several in (known.single, known.pairs)
        ),
    )


def _abridged(
    mistake: EvaluatedMistake,
    expected: Mapping[str, Expected],
    free: Mapping[str, Mapping[str, np.ndarray]],
) -> EvaluatedMistake:
    """The mistake with only the outputs that differ from the right ones: arrays as a sketch, all
    others as a digest, and None for missing ones."""
    kept: dict[str, dict[str, Any] | None] = {}
    for case, output in sorted(mistake.wrong):
        outputs = mistake.outputs[case]
        if outputs is None:
            kept[case] = None
            continue
        kept[case] = differing = kept.get(case) or {}
        if output in outputs:
            right = expected[case].outputs[output]
            value = _sketched(outputs[output], right, free[case].get(output, False))
            differing[output] = value
        else:
            differing[output] = None
    return replace(mistake, outputs=kept)


def _sketched(value: Any, right: Any, free: np.ndarray | bool) -> Any:
    if not (isinstance(value, np.ndarray) and isinstance(right, np.ndarray)):
        return Digest.of(value)
    return Sketch.of(value, free if np.shape(free) == value.shape else False)
