"""What ``fastformer.weighted_f1`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.texts import say

# --- the metric ----------------------------------------------------------------------------------


class WeightedF1(Exercise):
    """The F1 score of each class, averaged by how often the class is true."""

    name = "fastformer.weighted_f1"
    lesson = "06-fastformer"
    section = 6
    axes = {"score": ()}
    aspects = (
        Aspect("the score is one number", 10, ("plain",), has_shapes(axes)),
        Aspect("if all predictions are right, the score is 1", 10, ("all right",),
               numbers_agree("score")),
        Aspect("the number is right", 40, ("plain",), numbers_agree("score")),
        Aspect("a class that is never predicted scores 0", 20, ("never predicted",),
               numbers_agree("score")),
        Aspect("a class that is never true has no weight", 10, ("never true",),
               numbers_agree("score")),
        Aspect("classes may have any numbers", 10, ("gaps",), numbers_agree("score")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """True and predicted classes, integers (samples,)."""
        random = random_state(seed)
        true, predicted = _labels(random)
        classes = int(true.max()) + 1
        silenced, unseen = (int(number) for number in random.permutation(classes)[:2])
        other = (silenced + 1) % classes
        numbers = np.cumsum(random.randint(2, 9, classes))
        pairs = {
            "plain": (true, predicted),
            "all right": (true, true),
            "never predicted": (true, np.where(predicted == silenced, other, predicted)),
            "never true": (np.where(true == unseen, (unseen + 1) % classes, true), predicted),
            "gaps": (numbers[true], numbers[predicted]),
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
    """True and predicted classes of 168 samples, shuffled.

    Every class has hits, misses and false alarms, and is not predicted as often as it is true. With
    fewer samples, other averages are the same number by luck more often.
    """
    while True:
        supports = random.permutation([19, 31, 47, 71])
        true = np.repeat(np.arange(4), supports)
        wrong = (true + random.randint(1, 4, len(true))) % 4
        predicted = np.where(random.uniform(size=len(true)) < 0.6, true, wrong)
        alarms = np.bincount(predicted, minlength=4)
        hits = np.bincount(true[true == predicted], minlength=4)
        some = (hits > 0) & (hits < alarms) & (hits < supports)
        if (some & (alarms != supports)).all():
            order = random.permutation(len(true))
            return true[order], predicted[order]


EXERCISE = WeightedF1()
