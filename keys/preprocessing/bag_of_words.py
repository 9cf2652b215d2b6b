"""The key of ``preprocessing.bag_of_words``."""

from __future__ import annotations

import re  # noqa: F401 - a mistake uses it
from collections import Counter

import numpy as np

from autograder.judging.keys import Key
from course.exercises.preprocessing.bag_of_words import EXERCISE
from keys.preprocessing.common import DEFAULT_PATTERN, VOCABULARY, vocabulary_of


def bag_of_words(documents: list[list[str]]) -> dict[str, np.ndarray | list[str]]:
    """How often each token is in each document.

    Returns:
        counts: (documents, vocabulary); vocabulary: sorted.

    Example:
        >>> bag_of_words([["b", "a", "b"], []])["counts"].tolist()
        [[1.0, 2.0], [0.0, 0.0]]
    """
    vocabulary = vocabulary_of(documents)
    times = [[Counter(document)[token] for token in vocabulary] for document in documents]
    counts = np.array(times, np.float64)
    return {"counts": counts, "vocabulary": vocabulary}


KEY = Key(EXERCISE, bag_of_words)

KEY.mistake(
    "present_or_not",
    "You counted each word at most once per document: repeated words count again.",
    "Counter(document)[token]",
    "int(token in document)",
)
KEY.mistake(
    "vocabulary_as_it_appears",
    "The vocabulary follows the order of the documents: it has to be sorted.",
    VOCABULARY,
    "list(dict.fromkeys(token for document in documents for token in document))",
)
KEY.mistake(
    "vocabulary_with_repetitions",
    "The vocabulary contains duplicates: each word has one entry and one column.",
    VOCABULARY,
    "sorted(token for document in documents for token in document)",
)
KEY.mistake(
    "documents_as_columns",
    "Rows and columns are swapped: each document has a row.",
    '{"counts": counts',
    '{"counts": counts.T',
)
KEY.mistake(
    "shares_of_the_document",
    "You divided the counts by the document's length: just count.",
    "Counter(document)[token]",
    "Counter(document)[token] / max(len(document), 1)",
)
KEY.mistake(
    "words_cut_again",
    DEFAULT_PATTERN,
    "vocabulary = vocabulary_of(documents)",
    'documents = [re.findall(r"(?u)\\b\\w\\w+\\b", " ".join(words)) for words in documents]\n'
    "    vocabulary = vocabulary_of(documents)",
)
KEY.mistake(
    "counted_together",
    "You counted all documents together: each one has its own row.",
    '{"counts": counts',
    '{"counts": counts.sum(axis=0)',
)
KEY.mistake(
    "empty_document_left_out",
    "A document without tokens has no row: it needs a row of zeros.",
    "for document in documents]",
    "for document in documents if document]",
)
KEY.mistake(
    "vocabulary_first",
    "The pair is in the wrong order: the counts come first.",
    '{"counts": counts, "vocabulary": vocabulary}',
    '{"counts": vocabulary}',
    alone=True,
)
