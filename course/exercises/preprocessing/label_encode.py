"""What ``preprocessing.label_encode`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.preprocessing.common import WORDS, dense, deranged, draw, shuffled
from selfcheck.aspects import as_array, has_shapes, numbers_agree
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.texts import say


def _one_number_for_each_label(observation: Observation) -> str:
    """Equal labels have equal numbers, different labels different ones."""
    seen = has_shapes({"numbers": ("labels",)})(observation)
    if seen:
        return seen
    numbers = as_array(observation.received["numbers"]).tolist()
    of: dict[str, float] = {}
    for label, number in zip(observation.case.inputs["labels"], numbers, strict=True):
        if of.setdefault(label, number) != number:
            return say(
                "{label} is {one} in one place and {other} in another",
                label=repr(label),
                one=f"{of[label]:g}",
                other=f"{number:g}",
            )
    if len(set(of.values())) < len(of):
        return say(
            "{labels} labels share {numbers} number(s)",
            labels=len(of),
            numbers=len(set(of.values())),
        )
    return ""


class LabelEncode(Exercise):
    """Classes as numbers from 0, in alphabetical order."""

    name = "preprocessing.label_encode"
    lesson = "01-text-preprocessing"
    section = 6
    axes = {"numbers": ("labels",)}
    aspects = (
        Aspect("there is one number per label", 20, ("plain",), has_shapes(axes)),
        Aspect("each class has its own number", 20, ("plain",), _one_number_for_each_label),
        Aspect("the numbers follow the alphabet, from 0", 50, ("plain",), numbers_agree("numbers")),
        Aspect("a single class is number 0", 10, ("one class",), numbers_agree("numbers")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Labels of four classes and of one."""
        random = random_state(seed)
        classes = sorted(draw(random, WORDS, 4))
        # The orders of the alphabet, of appearance and of frequency differ, also backwards.
        appearing, frequent = classes, classes
        while len({*map(tuple, (classes, classes[::-1], appearing, frequent, frequent[::-1]))}) < 5:
            appearing = deranged(random, classes, classes)
            frequent = shuffled(random, classes)
        more = [frequent[0]] * 3 + [frequent[1]] * 2 + [frequent[2]]
        labels = appearing + shuffled(random, more)
        only = draw(random, classes, 1) * int(random.randint(3, 6))
        return Case("plain", {"labels": labels}), Case("one class", {"labels": only})

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of labels."""
        return {"numbers": dense(obj(list(case.inputs["labels"])))}


EXERCISE = LabelEncode()
