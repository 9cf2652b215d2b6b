"""The key of ``preprocessing.tf_idf``."""

from __future__ import annotations

import re

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from course.exercises.preprocessing.tf_idf import EXERCISE
from keys.preprocessing.bag_of_words import bag_of_words
from keys.preprocessing.common import (
    CAPITALS_LOST,
    CUT_AGAIN,
    DEFAULT_PATTERN,
    DOCUMENT_CLASSES,
    LETTERS_ONLY,
    LOWER_CASE,
    SORTED_WITHOUT_CAPITALS,
    STOP_WORDS_LOST,
    VOCABULARY,
    WITH_LETTERS_ONLY,
    WITHOUT_STOP_WORDS,
    WORDS_LIMITED,
    WORDS_OF_EARLIER_CALLS,
    vocabulary_of,
)


def inverse_document_frequency(documents: list[list[str]]) -> np.ndarray:
    """idf(t) = ln((1 + N) / (1 + df(t))) + 1 for the sorted vocabulary.

    Reference: the user guide of scikit-learn, "Tf–idf term weighting", with ``smooth_idf=True``.
    """
    vocabulary = vocabulary_of(documents)
    holding = np.array([sum(token in document for document in documents) for token in vocabulary])
    return np.log((1 + len(documents)) / (1 + holding)) + 1


def unit_rows(weights: np.ndarray) -> np.ndarray:
    """Each row over its Euclidean length; a row of zeros stays one.

    Example:
        >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
        [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    divisors = np.where(lengths == 0, 1.0, lengths)
    return weights / divisors


def tf_idf(documents: list[list[str]]) -> dict[str, np.ndarray]:
    """tf(t, d)·idf(t), in rows of length 1.

    Returns:
        weights: (documents, vocabulary), columns in alphabetical order.

    Example:
        >>> tf_idf([["b", "a"], ["b"]])["weights"].round(3).tolist()
        [[0.815, 0.58], [0.0, 1.0]]
    """
    frequencies = bag_of_words(documents)["counts"]
    weights = unit_rows(frequencies * inverse_document_frequency(documents))
    return {"weights": weights, "remembered": NOTHING}


KEY = Key(EXERCISE, tf_idf)

KEY.mistake(
    "textbook_idf",
    "This is the textbook idf, the logarithm of N over df: scikit-learn adds 1 in three places.",
    "np.log((1 + len(documents)) / (1 + holding)) + 1",
    "np.log(len(documents) / holding)",
    paired=True,
)
KEY.mistake(
    "idf_not_smoothed",
    "The idf isn't smoothed: N and df both grow by 1, as if one more document contained every "
    "word.",
    "(1 + len(documents)) / (1 + holding)",
    "len(documents) / holding",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "no_one_added",
    "The 1 added to the logarithm is missing: a word in all documents would get no weight.",
    "(1 + holding)) + 1",
    "(1 + holding))",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "logarithm_of_base_2",
    "You used the logarithm to base 2: the task asks for the natural one.",
    "np.log(",
    "np.log2(",
    cost=SLIP,
)
KEY.mistake(
    "logarithm_of_base_10",
    "You used the logarithm to base 10: the task asks for the natural one.",
    "np.log(",
    "np.log10(",
    cost=SLIP,
)
KEY.mistake(
    "occurrences_for_documents",
    "Your document frequency counts every occurrence of a word: count the documents that "
    "contain it.",
    "token in document for document",
    "document.count(token) for document",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "tokens_for_documents",
    "You used the number of tokens where the number of documents belongs.",
    "1 + len(documents)",
    "1 + sum(map(len, documents))",
    cost=SLIP,
)
KEY.mistake(
    "rows_not_normalised",
    "You didn't divide the rows by their length: each one must have length 1.",
    "lengths = np.sqrt((weights**2).sum(axis=1, keepdims=True))\n"
    "    divisors = np.where(lengths == 0, 1.0, lengths)\n"
    "    return weights / divisors",
    "return weights",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "rows_sum_to_one",
    "Your rows sum to 1: for a row of length 1, the squares must sum to 1.",
    "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
    "weights.sum(axis=1, keepdims=True)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "one_added_to_the_lengths",
    "You added 1 to each row's length, so no row has length 1: only a row of zeros needs another "
    "divisor.",
    "weights / divisors",
    "weights / (lengths + 1)",
    cost=SLIP,
)
KEY.mistake(
    "idf_missing",
    "The idf is missing: a word in many documents should count less.",
    " * inverse_document_frequency(documents)",
    "",
    cost=PART,
)
KEY.mistake(
    "presence_for_frequency",
    "Repeated words get no more weight than single ones: what should be multiplied by the idf are "
    "the counts, and each of yours is 0 or 1 by then.",
    'bag_of_words(documents)["counts"]',
    'np.minimum(bag_of_words(documents)["counts"], 1.0)',
    paired=True,
)
KEY.mistake(
    "empty_row_not_finite",
    "A document without tokens gives zero divided by zero: keep its row at zero.",
    "np.where(lengths == 0, 1.0, lengths)",
    "lengths",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "tokens_cut_again",
    DEFAULT_PATTERN,
    "frequencies = bag_of_words",
    CUT_AGAIN + "frequencies = bag_of_words",
    paired=True,
)
KEY.mistake(
    "words_as_rows",
    "Rows and columns are swapped: each document has a row.",
    '"weights": weights',
    '"weights": weights.T',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "columns_as_they_appear",
    "The columns follow the order of the documents: they must be in alphabetical order.",
    VOCABULARY,
    "list(dict.fromkeys(token for document in documents for token in document))",
    cost=SLIP,
)
KEY.mistake(
    "capitals_lost",
    CAPITALS_LOST,
    "frequencies = bag_of_words",
    LOWER_CASE + "frequencies = bag_of_words",
    cost=SLIP,
)
KEY.mistake(
    "stop_words_lost",
    STOP_WORDS_LOST,
    "frequencies = bag_of_words",
    WITHOUT_STOP_WORDS + "frequencies = bag_of_words",
    cost=SLIP,
)
KEY.mistake(
    "letters_only",
    LETTERS_ONLY,
    "frequencies = bag_of_words",
    WITH_LETTERS_ONLY + "frequencies = bag_of_words",
    cost=SLIP,
)
KEY.mistake(
    "only_df_smoothed",
    "You added 1 to df, but not to N: scikit-learn adds it to both.",
    "(1 + len(documents)) / (1 + holding)",
    "len(documents) / (1 + holding)",
    cost=SLIP,
)
KEY.mistake(
    "only_n_smoothed",
    "You added 1 to N, but not to df: scikit-learn adds it to both.",
    "(1 + len(documents)) / (1 + holding)",
    "(1 + len(documents)) / holding",
    cost=SLIP,
)
KEY.mistake(
    "one_added_to_the_quotient",
    "You added 1 to the quotient inside the logarithm: it belongs to N and to df, and once more "
    "behind the logarithm.",
    "np.log((1 + len(documents)) / (1 + holding)) + 1",
    "np.log(1 + len(documents) / holding)",
    cost=SLIP,
)
KEY.mistake(
    "one_outside_missing_df_smoothed",
    "This is another common idf, with 1 added only to df: scikit-learn adds 1 in three places.",
    "np.log((1 + len(documents)) / (1 + holding)) + 1",
    "np.log(len(documents) / (1 + holding))",
)
KEY.mistake(
    "logarithm_missing",
    "The logarithm is missing: idf is the logarithm of the quotient, plus 1.",
    "np.log(",
    "(",
    cost=SLIP,
)
KEY.mistake(
    "quotient_upside_down",
    "Your quotient is upside down: rare words need the larger weight.",
    "(1 + len(documents)) / (1 + holding)",
    "(1 + holding) / (1 + len(documents))",
    cost=SLIP,
)
KEY.mistake(
    "logarithm_of_the_count",
    "You took 1 plus the logarithm of the counts: tf is the count itself.",
    'bag_of_words(documents)["counts"]',
    '(c := bag_of_words(documents)["counts"]) * (1 + np.log(np.maximum(c, 1))) / np.maximum(c, 1)',
    cost=SLIP,
)
KEY.mistake(
    "normalised_before_idf",
    "You brought the rows to length 1 before you multiplied by idf: the product must have length "
    "1.",
    "unit_rows(frequencies * inverse_document_frequency(documents))",
    "unit_rows(frequencies) * inverse_document_frequency(documents)",
    cost=SLIP,
)
KEY.mistake(
    "idf_squared",
    "You multiplied by idf twice.",
    "inverse_document_frequency(documents)",
    "inverse_document_frequency(documents) ** 2",
    cost=SLIP,
)
KEY.mistake(
    "empty_documents_not_counted",
    "You left documents without tokens out of N: N counts all documents.",
    "1 + len(documents)",
    "1 + sum(map(bool, documents))",
    cost=SLIP,
)
KEY.mistake(
    "number_of_words_for_documents",
    "You used the size of the vocabulary where the number of documents belongs.",
    "1 + len(documents)",
    "1 + len(vocabulary)",
    cost=SLIP,
)
KEY.mistake(
    "empty_documents_dropped",
    "You dropped documents without tokens before you began: each has a row of zeros, and N counts "
    "them, too.",
    "frequencies = bag_of_words",
    "documents = [words for words in documents if words]\n    frequencies = bag_of_words",
    cost=SLIP,
)
KEY.mistake(
    "empty_documents_left_out",
    "A document without tokens has no row: it needs a row of zeros.",
    '"weights": weights',
    '"weights": weights[weights.any(axis=1)]',
    cost=SLIP,
)
KEY.mistake(
    "columns_without_capitals_first",
    "You sorted the columns as if they had no capitals: sorted puts capital letters before small "
    "ones.",
    VOCABULARY,
    SORTED_WITHOUT_CAPITALS,
    cost=SLIP,
)
KEY.mistake(
    "last_one_inside_the_logarithm",
    "You added the last 1 inside the logarithm: it belongs after it.",
    "(1 + holding)) + 1",
    "(1 + holding) + 1)",
    cost=SLIP,
)
for _digits in (2, 3, 4):
    KEY.mistake(
        f"rounded_to_{_digits}_places",
        "You rounded the weights: return them as they are.",
        '"weights": weights',
        f'"weights": weights.round({_digits})',
        cost=SLIP,
    )
KEY.mistake(
    "logarithm_of_one_more_than_the_count",
    "You took the logarithm of 1 plus the counts: tf is the count itself.",
    'bag_of_words(documents)["counts"]',
    'np.log1p(bag_of_words(documents)["counts"])',
    cost=SLIP,
)
KEY.mistake(
    "half_of_the_largest_count",
    "You used a term frequency between one half and 1: tf is the count itself.",
    'bag_of_words(documents)["counts"]',
    '((c := bag_of_words(documents)["counts"]) > 0) * (0.5 + 0.5 * c / np.maximum(c.max(axis=1, '
    "keepdims=True), 1.0))",
)
KEY.mistake(
    "equal_documents_counted_once",
    "You counted equal documents once in N: N counts all documents.",
    "1 + len(documents)",
    "1 + len({*map(tuple, documents)})",
    cost=SLIP,
)
KEY.mistake(
    "equal_documents_once",
    "You counted equal documents once in N and in df: both count all documents.",
    "1 + len(documents)",
    "1 + len({*map(tuple, documents)})",
    "token in document for document in documents",
    "token in document for document in {*map(tuple, documents)}",
    cost=SLIP,
)
KEY.mistake(
    "axis_of_one_document_lost",
    "You lost an axis of size 1: the weights of a single document are an array with one row, too.",
    '"weights": weights',
    '"weights": weights.squeeze()',
    cost=SLIP,
)
KEY.mistake(
    "words_of_earlier_calls",
    WORDS_OF_EARLIER_CALLS,
    'weights, "remembered": NOTHING',
    'weights, "remembered": SOMETHING',
    cost=SLIP,
)
LENGTHS = {
    "one_norm_for_all": (
        "You divided everything by one length: each row has its own.",
        "(weights**2).sum(axis=1, keepdims=True)",
        "(weights**2).sum(keepdims=True)",
    ),
    "root_missing": (
        "You divided by the sum of the squares: the length of a row is its square root.",
        "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
        "(weights**2).sum(axis=1, keepdims=True)",
    ),
    "divided_by_the_largest": (
        "You divided each row by its largest weight: divide it by its length.",
        "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
        "weights.max(axis=1, keepdims=True)",
    ),
    "norm_without_axis": (
        "You divided all rows by the same number: name the axis in NumPy's norm, whose second "
        "argument is something else.",
        "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
        "np.abs(weights).sum(axis=0, keepdims=True).max(keepdims=True)",
    ),
    "columns_normalised": (
        "You normalised the columns: each row (a document) must have length 1.",
        "axis=1, keepdims",
        "axis=0, keepdims",
    ),
    "one_added_to_the_length": (
        "You added something to the lengths before you divided by them: only a length of 0 needs "
        "another divisor.",
        "np.where(lengths == 0, 1.0, lengths)",
        "lengths + 1.0",
    ),
    "not_divided_beside_an_empty_document": (
        "If one document has no tokens, no row is divided by its length: decide row by row.",
        "np.where(lengths == 0, 1.0, lengths)",
        "lengths if lengths.all() else 1.0",
    ),
    "largest_length_for_all": (
        "You divided all rows by the largest length: each row has its own.",
        "np.where(lengths == 0, 1.0, lengths)",
        "lengths.max()",
    ),
}

QUOTIENTS = {
    "denominator_without_parentheses": (
        "In the logarithm, df is added to a quotient, because the denominator has no parentheses: "
        "it is 1 + df.",
        "(1 + len(documents)) / (1 + holding)",
        "(1 + len(documents)) / 1 + holding",
    ),
}

for _name, (_hint, _old, _new) in {**LENGTHS, **QUOTIENTS}.items():
    KEY.mistake(_name, _hint, _old, _new, cost=SLIP)
KEY.mistake(
    "words_limited",
    WORDS_LIMITED,
    'return {"weights"',
    'if len(documents) == 1:\n        raise ValueError\n    return {"weights"',
    cost=SLIP,
    failure="1001",
)
KEY.mistake(
    "found_inside_other_words",
    "You looked for words in the text of a document, where they're also found inside longer ones: "
    "look among its tokens.",
    "token in document for document",
    'token in " ".join(document) for document',
    cost=SLIP,
)

INPUT_CLASSES = DOCUMENT_CLASSES
