"""What ``preprocessing.label_encode`` asks for, and what is judged."""

from __future__ import annotations

import itertools
import string
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
    WORDS,
    dense,
    deranged,
    draw,
    remembers_nothing,
    shuffled,
)
from selfcheck.aspects import as_array, comparable, describe, has_shapes, numbers, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state
from selfcheck.texts import say


def _one_number_for_each_label(observation: Observation) -> str:
    """Equal labels have equal numbers, different labels different ones."""
    seen = comparable({"codes": ("labels",)})(observation)
    if seen:
        return seen
    numbers = as_array(observation.received["codes"]).tolist()
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


def _remembered_classes(obj: Any) -> str:
    """Whether the classes of earlier calls are numbered with a call's own."""
    try:
        one, other = (float(np.squeeze(obj([label]))) for label in ("zzza", "zzzk"))
    except Exception:  # the cases show it
        return NOTHING
    return SOMETHING if other == one + 1 else NOTHING


def _among_its_own(codes: Any) -> Any:
    """Numbers without gaps, in the same order: what they are among the classes of one call."""
    array = numbers(codes)
    if array is None or array.ndim != 1:
        return codes
    return np.unique(array, return_inverse=True)[1]


def _array_of_integers(observation: Observation) -> str:
    """It is an array, and its numbers are integers by their type."""
    seen = comparable({"codes": ("labels",)})(observation)
    if seen:
        return seen
    value = observation.received["codes"]
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        return ""
    return say("`codes` is {seen}; expected an array of integers", seen=describe(value))


def _by_the_alphabet(observation: Observation) -> str:
    """The numbers are right; of those in another order it is said in which one."""
    seen = numbers_agree("codes")(observation)
    if not seen or _one_number_for_each_label(observation):
        return seen
    numbers = as_array(observation.received["codes"]).tolist()
    of = dict(zip(numbers, observation.case.inputs["labels"], strict=True))
    if sorted(of) != list(range(len(of))):
        return seen
    return say(
        "your classes 0, 1, ... are {order}; expected {sorted}",
        order=", ".join(of[number] for number in sorted(of)),
        sorted=", ".join(sorted(of.values())),
    )


class LabelEncode(Exercise):
    """Classes as numbers from 0, in alphabetical order."""

    name = "preprocessing.label_encode"
    lesson = "01-text-preprocessing"
    section = 6
    axes = {"codes": ("labels",), "remembered": ()}
    aspects = (
        Aspect("there is one number per label", 10, ("plain",), has_shapes({"codes": ("labels",)})),
        Aspect("the numbers are an array of integers", 10, ("plain",), _array_of_integers),
        Aspect("each class has its own number", 20, ("plain",), _one_number_for_each_label),
        Aspect(
            "the numbers follow the alphabet, from 0",
            50,
            ("plain", "capital letters", "many classes", "similar labels", "digits"),
            _by_the_alphabet,
        ),
        Aspect(
            "a single class is number 0",
            10,
            ("one class", "one label"),
            remembers_nothing(numbers_agree("codes")),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Labels of six classes, of four with a capital letter, of 260, of some that are nearly
        the same, of digits, and of one.
        """
        random = random_state(seed)
        # Enough that the order of a set, which varies from run to run, is rarely one of the others.
        classes = sorted(draw(random, WORDS, 6))
        # The orders of the alphabet, of appearance and of frequency differ, also backwards.
        appearing, frequent = classes, classes
        while len({*map(tuple, (classes, classes[::-1], appearing, frequent, frequent[::-1]))}) < 5:
            appearing = deranged(random, classes, classes)
            frequent = shuffled(random, classes)
        more = [label for count, label in enumerate(frequent[::-1]) for _ in range(count)]
        labels = appearing + shuffled(random, more)
        only = draw(random, classes, 1) * int(random.randint(3, 6))
        # Capital letters come before small ones in the order of sorted(), in no dictionary.
        low, middle, high, last = sorted(draw(random, WORDS, 4))
        mixed = [middle, high.capitalize(), low, middle, last, middle, low, low, low]
        # More classes than an integer of eight bits can number, or the two digits that fit into
        # the place of a label.
        pairs = list(map("".join, itertools.product(string.ascii_lowercase, repeat=2)))
        many = sorted(draw(random, pairs, 260))
        long = f"{low}-{high}-{last}"
        similar = [low, f"{low} ", f"{low}s", long, f"{long}s"]
        # By their digits "2" comes behind all that begin with a 1. It's also the number of a class
        # before it.
        second, third, other = (str(digit + 3) for digit in random.permutation(7)[:3])
        digits = ["1", f"1{second}", f"1{second}{third}", "2", f"{other}0"]
        return (
            Case("plain", {"labels": labels}),
            Case("capital letters", {"labels": mixed}),
            Case("many classes", {"labels": many}),
            # Not in the order of the alphabet, not even by chance.
            Case("similar labels", {"labels": deranged(random, similar, sorted(similar))}),
            Case("digits", {"labels": deranged(random, [*digits, "2"], sorted([*digits, "2"]))}),
            Case("one class", {"labels": only}),
            Case("one label", {"labels": only[:1]}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a list of labels."""
        codes = dense(obj(list(case.inputs["labels"])))
        remembered = _remembered_classes(obj)
        if remembered == SOMETHING:
            codes = _among_its_own(codes)
        return {"codes": codes, "remembered": remembered}


EXERCISE = LabelEncode()
