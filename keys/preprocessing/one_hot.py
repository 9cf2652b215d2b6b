"""The key of ``preprocessing.one_hot``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import Key
from course.exercises.preprocessing.one_hot import EXERCISE


def one_hot(words: list[str], vocabulary: list[str]) -> dict[str, np.ndarray]:
    """A 1 in the column of each row's word.

    Returns:
        vectors: (words, vocabulary).

    Example:
        >>> one_hot(["b", "x"], ["b", "a"])["vectors"].tolist()
        [[1.0, 0.0], [0.0, 0.0]]
    """
    vectors = np.array([[float(word == entry) for entry in vocabulary] for word in words])
    return {"vectors": vectors}


KEY = Key(EXERCISE, one_hot)

KEY.mistake(
    "vocabulary_sorted",
    "You sorted the vocabulary first: its order decides which column a word gets.",
    "for entry in vocabulary",
    "for entry in sorted(vocabulary)",
)
KEY.mistake(
    "vocabulary_of_the_words",
    "You built the columns from the input words: the given vocabulary decides how many columns "
    "there are.",
    "for entry in vocabulary",
    "for entry in sorted(set(words))",
)
KEY.mistake(
    "words_as_columns",
    "Rows and columns are swapped: each word has a row.",
    '{"vectors": vectors}',
    '{"vectors": vectors.T}',
)
KEY.mistake(
    "unknown_as_first",
    "A word outside the vocabulary was treated as its first entry: what does your look-up "
    "return for it?",
    "for word in words",
    "for word in [w if w in vocabulary else vocabulary[0] for w in words]",
    alone=True,
)
KEY.mistake(
    "unknown_as_last",
    "A word outside the vocabulary was treated as its last entry: an index of -1 counts from "
    "the end.",
    "for word in words",
    "for word in [w if w in vocabulary else vocabulary[-1] for w in words]",
)
KEY.mistake(
    "unknown_left_out",
    "Words outside the vocabulary have no row: every word needs one.",
    "for word in words",
    "for word in words if word in vocabulary",
)
KEY.mistake(
    "one_row_for_all",
    "All words share one row: that's a bag of words. Here each word has its own row.",
    '{"vectors": vectors}',
    '{"vectors": vectors.max(axis=0)}',
    alone=True,
)
KEY.mistake(
    "position_in_the_words",
    "You placed the ones by position in the list of words: they belong at each word's position "
    "in the vocabulary.",
    "np.array([[float(word == entry) for entry in vocabulary] for word in words])",
    "np.eye(len(words), len(vocabulary))",
)
KEY.mistake(
    "places_in_the_vocabulary",
    "You returned positions in the vocabulary: each of them becomes a row of zeros with a "
    "single 1.",
    "np.array([[float(word == entry) for entry in vocabulary] for word in words])",
    "np.array([vocabulary.index(w) if w in vocabulary else -1.0 for w in words], np.float64)",
    alone=True,
)
