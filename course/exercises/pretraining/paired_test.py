"""What ``pretraining.paired_test`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.sampling import random_state
from selfcheck.texts import say


class PairedTest(Exercise):
    """How likely such a difference is if both are equally good."""

    name = "pretraining.paired_test"
    lesson = "07-pretraining"
    section = 6
    axes = {"p_value": ()}
    aspects = (
        Aspect("the p-value is one number", 10, ("a ahead",), has_shapes(axes)),
        Aspect("the number is right", 35, ("a ahead", "never alone"), numbers_agree("p_value")),
        Aspect("the number is right whichever of the two is called a", 15, ("b ahead",),
               numbers_agree("p_value")),
        Aspect("equal counts give 1, and never more", 15, ("equal counts", "one difference"),
               numbers_agree("p_value")),
        Aspect("without any difference it's 1", 10, ("no difference",), numbers_agree("p_value")),
        Aspect("dozens and thousands of differences give the exact number, too", 15,
               ("dozens", "thousands"), numbers_agree("p_value")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Which texts each of two classifiers has right, boolean (texts,)."""
        random = random_state(seed)
        # With more differences, two wrong sums are both as good as 0.
        few, many = [5, 6, 7], [10, 12, 13]
        fewer, more = int(random.choice(few)), int(random.choice(many))
        # Never equal to a count above or below: comparing these gives other numbers. And an odd
        # number together, so that half of them isn't a whole one.
        both, neither = 20, int(random.choice([9, 11]))
        pairs = {
            "a ahead": (more, fewer),
            "b ahead": (int(random.choice(few)), int(random.choice(many))),
            "never alone": (int(random.choice([*few, 8, *many, 14])), 0),
            "equal counts": (equal := int(random.choice([*few, 8])), equal),
            "one difference": (1, 0),
            "no difference": (0, 0),
        }
        dozens = int(random.randint(26, 42))
        pairs["dozens"] = (dozens, dozens + 15)
        counts = {name: (*pair, both, neither) for name, pair in pairs.items()}
        # A difference of about two standard deviations.
        half = int(random.randint(1000, 1100))
        counts["thousands"] = (half + int(random.randint(80, 100)), half, 3000, 700)
        return tuple(Case(name, _answers(random, *count)) for name, count in counts.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on boolean arrays; any kind of number serves."""
        value = obj(*(array.copy() for array in case.inputs.values()))
        try:
            if not isinstance(value, str | None):
                return {"p_value": np.array(value, float)}
        except (TypeError, ValueError):
            pass
        raise WrongReturn(say("returned {value}; expected a number", value=describe(value)))


def _answers(
    random: np.random.RandomState, only_a: int, only_b: int, both: int, neither: int
) -> dict[str, np.ndarray]:
    """Answers to so many texts, shuffled."""
    kinds = np.repeat(np.arange(4), (only_a, only_b, both, neither))
    kinds = random.permutation(kinds)
    return {"right_a": np.isin(kinds, (0, 2)), "right_b": np.isin(kinds, (1, 2))}


EXERCISE = PairedTest()
