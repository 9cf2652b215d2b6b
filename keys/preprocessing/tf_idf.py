"""The key of ``preprocessing.tf_idf``."""

from __future__ import annotations

import re  # noqa: F401 - a mistake uses it

import numpy as np

from autograder.judging.keys import Key
from course.exercises.preprocessing.tf_idf import EXERCISE
from keys.preprocessing.bag_of_words import bag_of_words
from keys.preprocessing.common import DEFAULT_PATTERN, VOCABULARY, vocabulary_of


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
    return {"weights": weights}


KEY = Key(EXERCISE, tf_idf)

KEY.mistake(
    "textbook_idf",
    "This is the textbook idf, the logarithm of N over df: scikit-learn adds 1 in three places.",
    "np.log((1 + len(documents)) / (1 + holding)) + 1",
    "np.log(len(documents) / holding)",
)
KEY.mistake(
    "idf_not_smoothed",
    "The idf isn't smoothed: N and df both grow by 1, as if one more document contained every "
    "word.",
    "(1 + len(documents)) / (1 + holding)",
    "len(documents) / holding",
)
KEY.mistake(
    "no_one_added",
    "The 1 added to the logarithm is missing: a word in all documents would get no weight.",
    "(1 + holding)) + 1",
    "(1 + holding))",
)
KEY.mistake(
    "logarithm_of_base_2",
    "You used the logarithm to base 2: the task asks for the natural one.",
    "np.log(",
    "np.log2(",
)
KEY.mistake(
    "logarithm_of_base_10",
    "You used the logarithm to base 10: the task asks for the natural one.",
    "np.log(",
    "np.log10(",
)
KEY.mistake(
    "occurrences_for_documents",
    "Your document frequency counts every occurrence of a word: count the documents that "
    "contain it.",
    "token in document for document",
    "document.count(token) for document",
)
KEY.mistake(
    "tokens_for_documents",
    "You used the number of tokens where the number of documents belongs.",
    "1 + len(documents)",
    "1 + sum(map(len, documents))",
)
KEY.mistake(
    "rows_not_normalised",
    "You didn't divide the rows by their length: each one must have length 1.",
    "lengths = np.sqrt((weights**2).sum(axis=1, keepdims=True))\n"
    "    divisors = np.where(lengths == 0, 1.0, lengths)\n"
    "    return weights / divisors",
    "return weights",
)
KEY.mistake(
    "rows_sum_to_one",
    "Your rows sum to 1: for a row of length 1, the squares must sum to 1.",
    "np.sqrt((weights**2).sum(axis=1, keepdims=True))",
    "weights.sum(axis=1, keepdims=True)",
)
KEY.mistake(
    "columns_normalised",
    "You normalised the columns: each row (a document) must have length 1.",
    "axis=1, keepdims",
    "axis=0, keepdims",
    alone=True,
)
KEY.mistake(
    "idf_missing",
    "These are counts in rows of length 1: the idf is missing.",
    " * inverse_document_frequency(documents)",
    "",
    alone=True,
)
KEY.mistake(
    "presence_for_frequency",
    "Repeated words get no more weight than single ones: the term frequency is missing.",
    'bag_of_words(documents)["counts"]',
    'np.minimum(bag_of_words(documents)["counts"], 1.0)',
)
KEY.mistake(
    "empty_row_not_finite",
    "A document without tokens gives zero divided by zero: keep its row at zero.",
    "np.where(lengths == 0, 1.0, lengths)",
    "lengths",
)
KEY.mistake(
    "tokens_cut_again",
    DEFAULT_PATTERN,
    "frequencies = bag_of_words",
    'documents = [re.findall(r"(?u)\\b\\w\\w+\\b", " ".join(words)) for words in documents]\n'
    "    frequencies = bag_of_words",
)
KEY.mistake(
    "words_as_rows",
    "Rows and columns are swapped: each document has a row.",
    '{"weights": weights}',
    '{"weights": weights.T}',
)
KEY.mistake(
    "columns_as_they_appear",
    "The columns follow the order of the documents: they must be in alphabetical order.",
    VOCABULARY,
    "list(dict.fromkeys(token for document in documents for token in document))",
)
