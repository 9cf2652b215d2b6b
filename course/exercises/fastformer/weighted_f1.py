"""What ``fastformer.weighted_f1`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.sampling import random_state
from selfcheck.texts import say

# --- the metric ----------------------------------------------------------------------------------


class WeightedF1(Exercise):
    """The F1 score of each class, averaged by how often the class is true."""

    name = "fastformer.weighted_f1"
    lesson = "06-fastformer"
    section = 7
    axes = {"score": ()}
    aspects = (
        Aspect("the score is one number", 10, ("plain",), has_shapes(axes)),
        Aspect("if all predictions are right, the score is 1", 10, ("all right",),
               numbers_agree("score")),
        Aspect("the number is right", 40, ("plain", "many texts"), numbers_agree("score")),
        Aspect("a class that is never predicted scores 0", 10, ("never predicted",),
               numbers_agree("score")),
        Aspect("a class that is predicted and never right scores 0", 10, ("never right",),
               numbers_agree("score")),
        Aspect("a class that is never true has no weight", 10, ("never true",),
               numbers_agree("score")),
        Aspect("classes may have any numbers", 10, ("gaps", "small type"),
               numbers_agree("score")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """True and predicted classes, integers (samples,)."""
        random = random_state(seed)
        true, predicted = _labels(random)
        # Always these, so that a slip hits the same cases whatever the seed.
        middle, largest = 1, int(true.max())
        inner = 1, largest - 1
        # A class that is true in every case, and not the smallest one, is the first to appear.
        first = int(np.flatnonzero(true == 2)[0])
        true, predicted = np.roll(true, -first), np.roll(predicted, -first)
        # Counting 0, 1, 2 finds none of them. Counted from the end, the lowest is the same as the
        # highest, and that is beyond most limits.
        numbers = largest + np.cumsum(random.randint(2, 9, largest + 1))
        # A byte doesn't tell the highest from another one.
        numbers[0], numbers[-1] = -1, numbers[1] + 1024
        numbers = numbers.astype(np.int16)  # which doesn't hold the product of two labels
        # Enough texts that the number in each class doesn't fit a type as small as the labels'.
        # And 256 in all: their shares have no rounding errors, so a sum that's cut off to a whole
        # number is 1.
        many = np.repeat(np.arange(5), random.permutation([13, 29, 37, 47, 130]))
        many = random.permutation(many).astype(np.int8)
        many = np.roll(many, -int(np.flatnonzero(many == 2)[0]))
        never_right = np.where(predicted == middle, 0, predicted)
        never_right[np.flatnonzero(true == 0)[:3]] = middle
        # A type that holds the difference of no other label and the smallest one.
        between = np.sort(random.permutation(np.arange(40, 90))[: largest - 2])
        small = np.array([-100, random.randint(28, 38), *between, 100], np.int8)
        # More of these are right, so that no score is the same everywhere.
        more, guesses = np.tile(true, 12), np.tile(predicted, 12)
        guesses[: len(true)] = true
        pairs = {
            "plain": (true, predicted),
            "many texts": (more, guesses),
            "all right": (many, many),
            "never predicted": (true, np.clip(predicted, *inner)),
            "never true": (np.clip(true, *inner), predicted),
            "never right": (true, never_right),
            "gaps": (numbers[true], numbers[predicted]),
            "small type": (small[true], small[predicted]),
        }
        return tuple(
            Case(name, {"y_true": right, "y_pred": answer})
            for name, (right, answer) in pairs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on integer arrays; any kind of number serves as a score."""
        score = obj(case.inputs["y_true"], case.inputs["y_pred"])
        try:
            if not isinstance(score, str | None):
                return {"score": np.array(score, float)}
        except (TypeError, ValueError):
            pass
        raise WrongReturn(say("returned {value}; expected a number", value=describe(score)))


def _labels(random: np.random.RandomState) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted classes of 177 samples, shuffled.

    Every class has hits, misses and false alarms, and is not predicted as often as it is true. With
    fewer samples, other averages are the same number by luck more often.
    """
    while True:
        supports = random.permutation([13, 23, 31, 43, 67])
        true = np.repeat(np.arange(5), supports)
        wrong = (true + random.randint(1, 5, len(true))) % 5
        predicted = np.where(random.uniform(size=len(true)) < 0.6, true, wrong)
        alarms = np.bincount(predicted, minlength=5)
        hits = np.bincount(true[true == predicted], minlength=5)
        some = (hits > 0) & (hits < alarms) & (hits < supports)
        mixed_up = ((true == 0) & (predicted == 4)).any()  # where these share a place, it's no hit
        if mixed_up and (some & (alarms != supports)).all():
            order = random.permutation(len(true))
            return true[order], predicted[order]


EXERCISE = WeightedF1()
