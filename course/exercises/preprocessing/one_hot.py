"""What ``preprocessing.one_hot`` asks for, and what is judged."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from course.exercises.preprocessing.common import WORDS, dense, deranged, draw
from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.texts import say


def _given(cases: Sequence[Case]) -> Iterator[tuple[list[str], list[str]]]:
    """The words and the vocabulary of each case."""
    return ((case.inputs["words"], case.inputs["vocabulary"]) for case in cases)


def _numbers_for_each_word(observation: Observation) -> str:
    """The shape is right, and there are numbers, with which the lesson calculates."""
    seen = has_shapes(OneHot.axes)(observation)
    if not seen and np.asarray(observation.received["vectors"]).dtype == bool:
        vectors = observation.received["vectors"]
        return say("vectors is {seen}; expected an array of numbers", seen=describe(vectors))
    return seen


class OneHot(Exercise):
    """A row for each word, a column for each entry of the vocabulary."""

    name = "preprocessing.one_hot"
    lesson = "01-text-preprocessing"
    section = 6
    axes = {"vectors": ("words", "vocabulary")}
    aspects = (
        Aspect(
            "vectors has the shape (words, vocabulary)",
            20,
            ("plain", "one word"),
            _numbers_for_each_word,
        ),
        Aspect(
            "each word has its 1 in its own column",
            40,
            ("plain", "words inside others", "two entries"),
            numbers_agree("vectors"),
        ),
        Aspect("a repeated word repeats its row", 20, ("repeated",), numbers_agree("vectors")),
        Aspect(
            "a word outside the vocabulary is a row of zeros",
            20,
            ("unknown words",),
            numbers_agree("vectors"),
        ),
    )

    input_classes: ClassVar = {
        "words in another order than a vocabulary that isn't sorted": lambda cases: any(
            vocabulary != sorted(vocabulary)
            and words != [entry for entry in vocabulary if entry in words]
            for words, vocabulary in _given(cases)
        ),
        "fewer words than the vocabulary has, and more": lambda cases: all(
            any(test(len(words), len(vocabulary)) for words, vocabulary in _given(cases))
            for test in (operator.lt, operator.gt)
        ),
        "a vocabulary of two words": lambda cases: any(
            len(vocabulary) == 2 for _, vocabulary in _given(cases)
        ),
        "the vocabulary's first word, wherever there are several": lambda cases: (
            sum(words[1:] != [] for words, _ in _given(cases))
            == sum(words[1:] != [] and entries[0] in words for words, entries in _given(cases))
            > 1
        ),
        "a single word": lambda cases: any(len(words) == 1 for words, _ in _given(cases)),
        "a known word and an unknown word again": lambda cases: all(
            any(
                words.count(word) > 1 and (word in vocabulary) is known
                for words, vocabulary in _given(cases)
                for word in words
            )
            for known in (True, False)
        ),
        "an unknown word between known ones, and one at the end": lambda cases: all(
            any(words[place] not in vocabulary for words, vocabulary in _given(cases) if words[1:])
            for place in (1, -1)
        ),
        "entries of the vocabulary inside others": lambda cases: any(
            one != other and one in other and {one, other} <= {*words}
            for words, vocabulary in _given(cases)
            for one, other in itertools.permutations(vocabulary, 2)
        ),
        "words of one letter and with a hyphen": lambda cases: all(
            any(
                test(word) and word in vocabulary
                for words, vocabulary in _given(cases)
                for word in words
            )
            for test in (lambda word: len(word) == 1, lambda word: "-" in word)
        ),
        "a capital in the vocabulary": lambda cases: any(
            word != word.lower() and word in vocabulary
            for words, vocabulary in _given(cases)
            for word in words
        ),
        "an unknown word that is a known one but for a capital": lambda cases: any(
            word not in vocabulary and word.lower() in vocabulary
            for words, vocabulary in _given(cases)
            for word in words
        ),
        "unknown words that contain a known one or are part of one": lambda cases: all(
            any(
                word not in vocabulary and test(word, entry)
                for words, vocabulary in _given(cases)
                for word, entry in itertools.product(words, vocabulary)
            )
            for test in (lambda word, entry: entry in word, lambda word, entry: word in entry)
        ),
    }

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Words, and a vocabulary that is not sorted."""
        random = random_state(seed)
        size = int(random.choice([6, 7, 8]))
        drawn = draw(random, WORDS, size + 2)
        vocabulary = deranged(random, drawn[2:], sorted(drawn[2:]))
        words = deranged(random, vocabulary[:4], vocabulary)
        while words[1] != vocabulary[0]:  # column 0 is asked for wherever there are several words
            words = deranged(random, vocabulary[:4], vocabulary)
        inputs = {
            "plain": words,
            "one word": words[:1],
            "repeated": [words[0], words[1], words[0], words[2], words[1]],
            # Some are unknown only by a capital letter, one letter more, or one less.
            "unknown words": [
                words[0], drawn[0], words[1], drawn[1], words[2], words[3].capitalize(),
                f"{words[2]}s", words[1][:-1], drawn[0],
            ],
        }  # fmt: skip
        one, other, third = drawn[2:5]
        longer, holding, hyphened, name = f"{one}s", f"un{other}", f"{one}-{third}", "Ann"
        ordered = sorted([one, longer, other, holding, third, hyphened, name, "x"])
        entries = deranged(random, ordered, ordered)
        cases = [
            Case(name, {"words": each, "vocabulary": vocabulary}) for name, each in inputs.items()
        ]
        within = [one, longer, holding, hyphened, other, one, "x", third, other, name]
        two = {
            "words": [drawn[3], drawn[2], drawn[3]],
            "vocabulary": sorted(drawn[2:4], reverse=True),
        }
        return (
            *cases,
            Case("words inside others", {"words": within, "vocabulary": entries}),
            Case("two entries", two),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on lists of words."""
        return {"vectors": dense(obj(list(case.inputs["words"]), list(case.inputs["vocabulary"])))}


EXERCISE = OneHot()
