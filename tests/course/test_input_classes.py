"""Every draw of an exercise's inputs holds every kind of input that its task speaks of."""

from __future__ import annotations

import pytest

from course import COURSE
from selfcheck.sheets import PUBLISHED_SEED

SEEDS = (PUBLISHED_SEED, *range(40))


@pytest.mark.parametrize("name", COURSE.names())
def test_every_draw_holds_every_class_of_input(name):
    exercise = COURSE.get(name)
    missing = [
        (seed, kind)
        for seed in SEEDS
        for cases in [exercise.cases(seed)]
        for kind, holds in exercise.input_classes.items()
        if not holds(cases)
    ]
    assert not missing


@pytest.mark.parametrize("name", COURSE.names())
def test_a_class_of_input_can_be_missing(name):
    """A class that one case alone, or no case at all, always has says nothing."""
    exercise = COURSE.get(name)
    cases = exercise.cases(PUBLISHED_SEED)
    for kind, holds in exercise.input_classes.items():
        assert not holds(()), kind
        fewest = min(len(cases), 1)
        assert len(cases) == fewest or not all(holds((case,)) for case in cases), kind
