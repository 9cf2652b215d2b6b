"""Every draw of an exercise's inputs holds every kind of input that its task speaks of."""

from __future__ import annotations

import importlib

import pytest

from course import COURSE
from selfcheck.sheets import PUBLISHED_SEED

SEEDS = (PUBLISHED_SEED, *range(40))


def classes_of(name):
    """The kinds of input of an exercise, each with a test whether cases contain it."""
    return importlib.import_module(f"{COURSE.keys}.{name}").INPUT_CLASSES


@pytest.mark.parametrize("name", COURSE.names())
def test_every_draw_holds_every_class_of_input(name):
    exercise, classes = COURSE.get(name), classes_of(name)
    missing = [
        (seed, kind)
        for seed in SEEDS
        for cases in [exercise.cases(seed)]
        for kind, contain in classes.items()
        if not contain(cases)
    ]
    assert not missing


@pytest.mark.parametrize("name", COURSE.names())
def test_a_class_of_input_can_be_missing(name):
    """A class that one case alone, or no case at all, always has says nothing."""
    cases = COURSE.get(name).cases(PUBLISHED_SEED)
    for kind, contain in classes_of(name).items():
        assert not contain(()), kind
        fewest = min(len(cases), 1)
        assert len(cases) == fewest or not all(contain((case,)) for case in cases), kind
