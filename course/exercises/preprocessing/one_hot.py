"""What ``preprocessing.one_hot`` asks for, and what is judged."""

from __future__ import annotations

import itertools
import string
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from course.exercises.preprocessing.common import WORDS, dense, deranged, draw
from selfcheck.aspects import equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state


def is_where_sorted(word: str, vocabulary: Sequence[str]) -> bool:
    """Whether a binary search, which is for sorted vocabularies, finds a word in this one."""
    return word in vocabulary[bisect_left(vocabulary, word) :][:1]


_ROWS = {"rows": ("words", "vocabulary")}
_KINDS = ("numbers", "Booleans")


def _kind(rows: Any, shape: tuple[int, int]) -> str:
    """Of what has another shape, nothing else is said."""
    try:
        array = np.asarray(rows)
    except Exception:  # rows of different length
        return _KINDS[0]
    return _KINDS[array.dtype == bool and array.shape == shape]


def _numbers(observation: Observation) -> str:
    """The shape is right, and there are numbers, with which the lesson calculates."""
    return has_shapes(_ROWS)(observation) or equals("kind", ours=_KINDS)(observation)


def _words_inside_others(
    random: np.random.RandomState, drawn: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Words, some of which are parts of others, and a vocabulary that has all of them."""
    one, other, third = drawn
    longer, holding, name = f"{one}s", f"un{other}", "Ann"
    # Longer than the text types of fixed width that a student may choose.
    hyphened = "-".join([one, third, other] * 2)
    ordered = sorted([one, longer, other, holding, third, hyphened, f"{hyphened}s", name, "x"])
    entries = ordered
    while all(is_where_sorted(entry, entries) for entry in entries):
        entries = deranged(random, ordered, ordered)
    words = [one, longer, holding, hyphened, other, one, f"{hyphened}s", "x", third, other, name]
    return words, entries


_SIZE = 7
"""Of the vocabulary."""

_UNKNOWN = 5, 2
"""Which of the drawn words aren't in it, in the alphabet's order."""


class OneHot(Exercise):
    """A row for each word, a column for each entry of the vocabulary."""

    name = "preprocessing.one_hot"
    lesson = "01-text-preprocessing"
    section = 6
    axes = _ROWS | {"kind": ()}
    translatable_outputs = _KINDS
    aspects = (
        Aspect(
            "the rows are an array of numbers (words, vocabulary)",
            10,
            ("plain", "one word"),
            has_shapes(_ROWS),
        ),
        Aspect("the rows are numbers, not Booleans", 10, ("plain",), _numbers),
        Aspect(
            "each word has its 1 in its own column",
            40,
            ("plain", "one word", "words inside others", "two entries"),
            numbers_agree("rows"),
        ),
        Aspect("each row of a repeated word is right", 20, ("repeated",), numbers_agree("rows")),
        Aspect(
            "a word outside the vocabulary is a row of zeros",
            20,
            ("unknown words",),
            numbers_agree("rows"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Words, and a vocabulary that is not sorted."""
        random = random_state(seed)
        drawn = sorted(draw(random, WORDS, _SIZE + 2))
        unknown = [drawn.pop(place) for place in _UNKNOWN]
        ordered = words = vocabulary = drawn
        # Column 0 is asked for wherever there are several words, and so is a word that is only
        # found where it's looked for in every place. A binary search finds another one: without
        # any it would do what writes no 1 does. The words aren't sorted: columns for these words,
        # in their order or in the alphabet's, would be the same.
        while (
            words[1] != vocabulary[0]
            or is_where_sorted(words[0], vocabulary)
            or not any(is_where_sorted(word, vocabulary) for word in words)
            or words == sorted(words)
        ):
            vocabulary = deranged(random, ordered, ordered)
            words = draw(random, vocabulary[:-1], 4)
        # More than bytes can number: the word's place begins again at 1 there.
        pairs = list(map("".join, itertools.product(string.ascii_lowercase, repeat=2)))
        pairs = sorted(draw(random, pairs, 259))
        many = pairs
        while is_where_sorted(many[257], many):
            many = deranged(random, pairs, pairs)
        inputs = {
            "plain": (words, vocabulary),
            "one word": ([many[257]], many),
            "repeated": ([words[0], words[1], words[0], words[2], words[1]], vocabulary),
            # Some are unknown only by a capital letter, a letter or a space more, or one less. One
            # was known in an earlier vocabulary.
            "unknown words": ([
                words[0], unknown[0], words[1], unknown[1], words[2], words[3].capitalize(),
                f"{max(vocabulary, key=len)}s", words[1][:-1], f"{words[2]} ", many[1], unknown[0],
            ], vocabulary),
        }  # fmt: skip
        cases = [
            Case(name, {"words": each, "vocabulary": known})
            for name, (each, known) in inputs.items()
        ]
        within, entries = _words_inside_others(random, ordered[:3])
        two = {"words": [ordered[1], ordered[0], ordered[1]], "vocabulary": ordered[1::-1]}
        return (
            *cases,
            Case("words inside others", {"words": within, "vocabulary": entries}),
            Case("two entries", two),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on lists of words."""
        words, vocabulary = list(case.inputs["words"]), list(case.inputs["vocabulary"])
        shape = len(words), len(vocabulary)
        rows = dense(obj(words, vocabulary))
        return {"rows": rows, "kind": _kind(rows, shape)}


EXERCISE = OneHot()
