"""The key of ``preprocessing.one_hot``."""

from __future__ import annotations

import itertools
import operator
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from autograder.judging.keys import SLIP, Key
from course.exercises.preprocessing.one_hot import EXERCISE, is_where_sorted
from selfcheck.exercise import Case


def one_hot(words: list[str], vocabulary: list[str]) -> dict[str, np.ndarray]:
    """A 1 in the column of each row's word.

    Returns:
        rows: (words, vocabulary); kind: of the answer's entries.

    Example:
        >>> one_hot(["b", "x"], ["b", "a"])["rows"].tolist()
        [[1.0, 0.0], [0.0, 0.0]]
    """
    vectors = np.array([[float(word == entry) for entry in vocabulary] for word in words])
    return {"rows": vectors, "kind": "numbers"}


KEY = Key(EXERCISE, one_hot)

KEY.mistake(
    "vocabulary_sorted",
    "You sorted the vocabulary first: its order decides which column a word gets.",
    "vectors = ",
    "vocabulary = sorted(vocabulary)\n    vectors = ",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "first_row_of_a_word",
    "Only the first row of a repeated word has its 1: index finds the first place of a word.",
    "float(word == entry)",
    "float(word == entry and words.index(word) == row)",
    "for word in words",
    "for row, word in enumerate(words)",
    cost=SLIP,
)
KEY.mistake(
    "vocabulary_of_the_words",
    "You built the columns from the input words: the given vocabulary decides how many columns "
    "there are.",
    "for entry in vocabulary",
    "for entry in sorted(set(words))",
    paired=True,
)
KEY.mistake(
    "words_as_columns",
    "Rows and columns are swapped: each word has a row.",
    '{"rows": vectors',
    '{"rows": vectors.T',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "unknown_as_first",
    "A word outside the vocabulary was treated as its first entry: what does your look-up "
    "return for it?",
    "for word in words",
    "for word in [w if w in vocabulary else vocabulary[0] for w in words]",
    cost=SLIP,
)
KEY.mistake(
    "unknown_as_last",
    "A word outside the vocabulary was treated as its last entry: an index of -1 counts from "
    "the end.",
    "for word in words",
    "for word in [w if w in vocabulary else vocabulary[-1] for w in words]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "unknown_left_out",
    "Words outside the vocabulary have no row: every word needs one.",
    "for word in words",
    "for word in words if word in vocabulary",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "one_row_for_all",
    "All words share one row: that's a bag of words. Here each word has its own row.",
    '{"rows": vectors',
    '{"rows": vectors.max(axis=0)',
)
KEY.mistake(
    "position_in_the_words",
    "You placed the ones by position in the list of words: they belong at each word's position "
    "in the vocabulary.",
    "np.array([[float(word == entry) for entry in vocabulary] for word in words])",
    "np.eye(len(words), len(vocabulary))",
    paired=True,
)
KEY.mistake(
    "places_in_the_vocabulary",
    "You returned positions in the vocabulary: each of them becomes a row of zeros with a "
    "single 1.",
    "np.array([[float(word == entry) for entry in vocabulary] for word in words])",
    "np.array([vocabulary.index(w) if w in vocabulary else -1.0 for w in words], np.float64)",
)
KEY.mistake(
    "part_of_an_entry",
    "A word got a 1 in each column whose entry contains it: compare whole words.",
    "word == entry",
    "word in entry",
    cost=SLIP,
)
KEY.mistake(
    "holding_an_entry",
    "A word got a 1 in each column whose entry it contains: compare whole words.",
    "word == entry",
    "entry in word",
    cost=SLIP,
)
KEY.mistake(
    "capitals_ignored",
    "You didn't tell capitals from small letters: a word that differs in a capital isn't in the "
    "vocabulary.",
    "word == entry",
    "word.lower() == entry.lower()",
    cost=SLIP,
)
KEY.mistake(
    "repeated_words_once",
    "A repeated word has only one row: every word of the list needs its own.",
    "for word in words",
    "for word in dict.fromkeys(words)",
    cost=SLIP,
)
KEY.mistake(
    "column_for_unknown_words",
    "You added a column for unknown words: there is one column per entry of the vocabulary, and "
    "an unknown word gives a row of zeros.",
    "[float(word == entry) for entry in vocabulary]",
    "[float((word if word in vocabulary else None) == entry) for entry in [*vocabulary, None]]",
    cost=SLIP,
)
KEY.mistake(
    "column_in_front_for_unknown_words",
    "You added a column for unknown words: there is one column per entry of the vocabulary, and "
    "an unknown word gives a row of zeros.",
    "[float(word == entry) for entry in vocabulary]",
    "[float((word if word in vocabulary else None) == entry) for entry in [None, *vocabulary]]",
    cost=SLIP,
)
KEY.mistake(
    "ones_for_zeros",
    "Zeros and ones are swapped: the single 1 belongs in the word's own column.",
    "word == entry",
    "word != entry",
    cost=SLIP,
)
KEY.mistake(
    "all_known_words_in_each_row",
    "Each row has a 1 for every word of the list: a row is about one word only.",
    "word == entry",
    "entry in words",
)
KEY.mistake(
    "unknown_not_asked_for",
    "Looking up a word that isn't in the vocabulary fails: ask first whether it's there.",
    "np.array([[float(word == entry) for entry in vocabulary] for word in words])",
    "np.eye(len(vocabulary))[[vocabulary.index(word) for word in words]]",
    cost=SLIP,
    failure="KeyError|is not in list|not in tuple|unknown categor",
)
KEY.mistake(
    "columns_up_to_the_last_word",
    "You have columns only up to the last entry that occurs: every entry of the vocabulary has a "
    "column.",
    "for entry in vocabulary",
    "for entry in vocabulary[: 1 + max(i for i, x in enumerate(vocabulary) if x in words)]",
    cost=SLIP,
)
KEY.mistake(
    "stopped_at_an_unknown_word",
    "You stopped at the first unknown word: the words after it need their rows, too.",
    "float(word == entry)",
    "float(word == entry and {*words[: row + 1]} <= {*vocabulary})",
    "for word in words",
    "for row, word in enumerate(words)",
    cost=SLIP,
)
KEY.mistake(
    "rows_end_at_an_unknown_word",
    "There are no rows from the first unknown word on: it's a row of zeros, and the words after it "
    "have their rows, too.",
    "for word in words",
    "for word in itertools.takewhile(vocabulary.__contains__, words)",
    cost=SLIP,
)
KEY.mistake(
    "unknown_words_added",
    "You added unknown words to the vocabulary: it stays as it is, and they have no column.",
    "for entry in vocabulary",
    "for entry in dict.fromkeys([*vocabulary, *words])",
    cost=SLIP,
)
KEY.mistake(
    "unknown_words_added_and_sorted",
    "You made a new vocabulary, sorted and with the unknown words: the one you're given decides "
    "which columns there are, and in which order.",
    "for entry in vocabulary",
    "for entry in sorted({*vocabulary, *words})",
)
for _name, _word in (("words_cut_again", "word.lower()"), ("words_cut_again_as_they_are", "word")):
    KEY.mistake(
        _name,
        "You cut the words again: a vectoriser's default settings drop words of one letter and "
        "split at hyphens.",
        "word == entry",
        f'entry in re.findall(r"(?u)\\b\\w\\w+\\b", {_word})',
    )
KEY.mistake(
    "ones_for_unknown_words",
    "You gave an unknown word a row of ones: its row is all zeros.",
    "word == entry",
    "word == entry or word not in vocabulary",
    cost=SLIP,
)
KEY.mistake(
    "words_in_lower_case",
    "You made the words lower-case, but not the vocabulary: compare both as they are.",
    "word == entry",
    "word.lower() == entry",
    cost=SLIP,
)
KEY.mistake(
    "first_entry_unknown",
    "The first word of the vocabulary was treated as unknown: its place is 0, which Python takes "
    "for false.",
    "float(word == entry)",
    "float(word == entry and column > 0)",
    "for entry in vocabulary",
    "for column, entry in enumerate(vocabulary)",
    cost=SLIP,
)
KEY.mistake(
    "binary_search",
    "You searched the vocabulary as if it were sorted, so words out of alphabetical order there "
    "aren't found. It may come in any order.",
    "word == entry",
    "bisect_left(vocabulary, word) == column and word == entry",
    "for entry in vocabulary",
    "for column, entry in enumerate(vocabulary)",
)
KEY.mistake(
    "counts_for_ones",
    "You wrote how often the word occurs: each row has a single 1, even if its word comes again.",
    "float(word == entry)",
    "float((word == entry) * words.count(word))",
    cost=SLIP,
)
KEY.mistake(
    "axis_of_one_word_lost",
    "You lost an axis of size 1: a single word gives an array with one row, too.",
    '{"rows": vectors',
    '{"rows": vectors.squeeze()',
    cost=SLIP,
)
KEY.mistake(
    "places_in_bytes",
    "The type of your positions is too small, so large ones wrap around: the vocabulary may have "
    "hundreds of words.",
    "float(word == entry)",
    "float(word in vocabulary and vocabulary.index(word) % 256 == column)",
    "for entry in vocabulary",
    "for column, entry in enumerate(vocabulary)",
    cost=SLIP,
)
KEY.mistake(
    "words_cut_to_the_vocabulary",
    "You cut the words to the length of the longest vocabulary entry: NumPy's text types have a "
    "fixed width, and cut off what's longer.",
    "word == entry",
    "word[: max(map(len, vocabulary))] == entry",
    cost=SLIP,
)
KEY.mistake(
    "long_words_cut",
    "You compared only the start of long words: a text type of fixed width, for example, cuts off "
    "the rest.",
    "word == entry",
    "word[:12] == entry[:12]",
    cost=SLIP,
)
KEY.mistake(
    "long_words_not_found",
    "Long words aren't found: a text type of fixed width, for example, cuts off their end.",
    "word == entry",
    "word == entry and len(word) <= 24",
    cost=SLIP,
)
KEY.mistake(
    "white_space_stripped",
    "You stripped white space from the words: compare them as they are.",
    "word == entry",
    "word.strip() == entry",
    cost=SLIP,
)
KEY.mistake(
    "booleans",
    "Your rows contain True and False: the task asks for numbers. astype makes numbers of them.",
    '"kind": "numbers"',
    '"kind": "Booleans"',
    cost=SLIP,
)


def _given(cases: Sequence[Case]) -> Iterator[tuple[list[str], list[str]]]:
    """The words and the vocabulary of each case."""
    return ((case.inputs["words"], case.inputs["vocabulary"]) for case in cases)


INPUT_CLASSES = {
    "words in another order than a vocabulary that isn't sorted": lambda cases: any(
        vocabulary != sorted(vocabulary)
        and words != [entry for entry in vocabulary if entry in words]
        for words, vocabulary in _given(cases)
    ),
    "a known word that isn't where it would be in a sorted vocabulary, in every case": (
        lambda cases: (
            len(cases) > 1
            and all(
                any(word in entries and not is_where_sorted(word, entries) for word in words)
                for words, entries in _given(cases)
            )
        )
    ),
    "a known word that is where it would be in a sorted vocabulary, in the first case": (
        lambda cases: (
            len(cases) > 1
            and any(
                is_where_sorted(word, entries)
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
