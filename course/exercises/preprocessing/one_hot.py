"""What ``preprocessing.one_hot`` asks for, and what is judged."""

from __future__ import annotations

import itertools
import operator
import string
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from course.exercises.preprocessing.common import WORDS, dense, deranged, draw
from selfcheck.aspects import equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state


def _given(cases: Sequence[Case]) -> Iterator[tuple[list[str], list[str]]]:
    """The words and the vocabulary of each case."""
    return ((case.inputs["words"], case.inputs["vocabulary"]) for case in cases)


def _is_where_sorted(word: str, vocabulary: Sequence[str]) -> bool:
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
    while all(_is_where_sorted(entry, entries) for entry in entries):
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

    input_classes: ClassVar = {
        "words in another order than a vocabulary that isn't sorted": lambda cases: any(
            vocabulary != sorted(vocabulary)
            and words != [entry for entry in vocabulary if entry in words]
            for words, vocabulary in _given(cases)
        ),
        "a known word that isn't where it would be in a sorted vocabulary, in every case": (
            lambda cases: (
                len(cases) > 1
                and all(
                    any(word in entries and not _is_where_sorted(word, entries) for word in words)
                    for words, entries in _given(cases)
                )
            )
        ),
        "a known word that is where it would be in a sorted vocabulary, in the first case": (
            lambda cases: (
                len(cases) > 1
                and any(
                    _is_where_sorted(word, entries)
                    for words, entries in _given(cases[:1])
                    for word in words
                )
            )
        ),
        "words that aren't sorted, wherever there are several": lambda cases: (
            len(cases) > 1
            and all(words != sorted(words) for words, _ in _given(cases) if len(words) > 1)
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
        "a single word, known": lambda cases: any(
            len(words) == 1 and words[0] in vocabulary for words, vocabulary in _given(cases)
        ),
        "a known word that comes after more than 256 others": lambda cases: any(
            word in vocabulary[257:-1] for words, vocabulary in _given(cases) for word in words
        ),
        "an unknown word that an earlier vocabulary has": lambda cases: any(
            word in earlier.inputs["vocabulary"] and word not in case.inputs["vocabulary"]
            for earlier, case in itertools.combinations(cases, 2)
            for word in case.inputs["words"]
        ),
        "an unknown word that begins with the longest of the vocabulary": lambda cases: any(
            word not in vocabulary and word[: max(map(len, vocabulary))] in vocabulary
            for words, vocabulary in _given(cases)
            for word in words
        ),
        "long words that differ in their last letter": lambda cases: any(
            one != other and one[:-1] == other and len(other) > 32
            for words, vocabulary in _given(cases)
            for one, other in itertools.permutations(set(words) & set(vocabulary), 2)
        ),
        "an unknown word that is a known one but for a space": lambda cases: any(
            word not in vocabulary and word.strip() in vocabulary
            for words, vocabulary in _given(cases)
            for word in words
        ),
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
        drawn = sorted(draw(random, WORDS, _SIZE + 2))
        unknown = [drawn.pop(place) for place in _UNKNOWN]
        ordered = words = vocabulary = drawn
        # Column 0 is asked for wherever there are several words, and so is a word that is only
        # found where it's looked for in every place. A binary search finds another one: without
        # any it would do what writes no 1 does. The words aren't sorted: columns for these words,
        # in their order or in the alphabet's, would be the same.
        while (
            words[1] != vocabulary[0]
            or _is_where_sorted(words[0], vocabulary)
            or not any(_is_where_sorted(word, vocabulary) for word in words)
            or words == sorted(words)
        ):
            vocabulary = deranged(random, ordered, ordered)
            words = draw(random, vocabulary[:-1], 4)
        # More than bytes can number: the word's place begins again at 1 there.
        pairs = list(map("".join, itertools.product(string.ascii_lowercase, repeat=2)))
        pairs = sorted(draw(random, pairs, 259))
        many = pairs
        while _is_where_sorted(many[257], many):
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
