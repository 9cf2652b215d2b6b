"""The key of ``preprocessing.bag_of_words``."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from autograder.judging.keys import SLIP, Key
from course.exercises.preprocessing.bag_of_words import EXERCISE
from course.exercises.preprocessing.common import (
    NOTHING,
    SOMETHING,
)
from keys.preprocessing.common import (
    CAPITALS_LOST,
    CUT_AGAIN,
    DEFAULT_PATTERN,
    DOCUMENT_CLASSES,
    LETTERS_ONLY,
    LOWER_CASE,
    SORTED_SMALL_FIRST,
    SORTED_WITHOUT_CAPITALS,
    STOP_WORDS_LOST,
    VOCABULARY,
    WITH_LETTERS_ONLY,
    WITHOUT_STOP_WORDS,
    WORDS_LIMITED,
    WORDS_OF_EARLIER_CALLS,
    vocabulary_of,
)


def bag_of_words(documents: list[list[str]]) -> dict[str, np.ndarray | list[str]]:
    """How often each token is in each document.

    Returns:
        counts: (documents, vocabulary); vocabulary: sorted.

    Example:
        >>> bag_of_words([["b", "a", "b"], []])["counts"].tolist()
        [[1.0, 2.0], [0.0, 0.0]]
    """
    vocabulary = vocabulary_of(documents)
    times = [[document.count(token) for token in vocabulary] for document in documents]
    counts = np.array(times, np.float64)
    return {"counts": counts, "vocabulary": vocabulary, "remembered": NOTHING}


KEY = Key(EXERCISE, bag_of_words)

KEY.mistake(
    "present_or_not",
    "You counted each word at most once per document: repeated words count again.",
    "document.count(token)",
    "int(token in document)",
    paired=True,
)
KEY.mistake(
    "vocabulary_as_it_appears",
    "The vocabulary follows the order of the documents: it has to be sorted.",
    VOCABULARY,
    "list(dict.fromkeys(token for document in documents for token in document))",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "vocabulary_with_repetitions",
    "The vocabulary contains duplicates: each word has one entry and one column.",
    VOCABULARY,
    "sorted(token for document in documents for token in document)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "documents_as_columns",
    "Rows and columns are swapped: each document has a row.",
    '{"counts": counts',
    '{"counts": counts.T',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "shares_of_the_document",
    "You divided the counts by the document's length: just count.",
    "document.count(token)",
    "document.count(token) / max(len(document), 1)",
    paired=True,
)
KEY.mistake(
    "words_cut_again",
    DEFAULT_PATTERN,
    "vocabulary = vocabulary_of(documents)",
    CUT_AGAIN + "vocabulary = vocabulary_of(documents)",
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
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "vocabulary_first",
    "The pair is in the wrong order: the counts come first.",
    '"counts": counts, "vocabulary": vocabulary',
    '"counts": vocabulary, "vocabulary": counts',
    cost=SLIP,
)
KEY.mistake(
    "capitals_lost",
    CAPITALS_LOST,
    "vocabulary = vocabulary_of(documents)",
    LOWER_CASE + "vocabulary = vocabulary_of(documents)",
    cost=SLIP,
)
KEY.mistake(
    "stop_words_lost",
    STOP_WORDS_LOST,
    "vocabulary = vocabulary_of(documents)",
    WITHOUT_STOP_WORDS + "vocabulary = vocabulary_of(documents)",
    cost=SLIP,
)
KEY.mistake(
    "letters_only",
    LETTERS_ONLY,
    "vocabulary = vocabulary_of(documents)",
    WITH_LETTERS_ONLY + "vocabulary = vocabulary_of(documents)",
    cost=SLIP,
)
KEY.mistake(
    "counted_inside_words",
    "You counted a word also where it is a part of another one: compare whole tokens.",
    "document.count(token)",
    "' '.join(document).count(token)",
    cost=SLIP,
)
KEY.mistake(
    "counted_in_one_row",
    "You looked up the row by the document itself: two equal documents then share the first "
    "one's row.",
    "[document.count(token) for token in vocabulary] for document in documents",
    "[sum(Counter(d)[token] for d in documents if documents.index(d) == row) for token in "
    "vocabulary] for row in range(len(documents))",
    cost=SLIP,
)
KEY.mistake(
    "equal_documents_once",
    "Equal documents share a row: every document needs its own.",
    "for document in documents]",
    "for document in dict.fromkeys(map(tuple, documents))]",
    cost=SLIP,
)
KEY.mistake(
    "sorted_by_frequency",
    "Your vocabulary is ordered by frequency: it has to be sorted.",
    VOCABULARY,
    "[token for token, _ in Counter(t for words in documents for t in words).most_common()]",
    cost=SLIP,
)
KEY.mistake(
    "sorted_backwards",
    "The vocabulary is sorted backwards.",
    VOCABULARY,
    "sorted({t for words in documents for t in words}, reverse=True)",
    cost=SLIP,
)
KEY.mistake(
    "sorted_without_capitals",
    "You sorted the vocabulary as if it had no capitals: sorted puts capital letters before small "
    "ones.",
    VOCABULARY,
    SORTED_WITHOUT_CAPITALS,
    cost=SLIP,
)
KEY.mistake(
    "sorted_with_small_letters_first",
    "You sorted the vocabulary as if it had no capitals: sorted puts capital letters before small "
    "ones.",
    VOCABULARY,
    SORTED_SMALL_FIRST,
    cost=SLIP,
)
KEY.mistake(
    "at_most_255",
    "The type of your counts ends at 255, and larger ones begin again at 0: a word may occur more "
    "often.",
    "np.array(times, np.float64)",
    "np.array(times).astype(np.uint8)",
    cost=SLIP,
)
KEY.mistake(
    "at_most_127",
    "The type of your counts ends at 127, and larger ones become negative: a word may occur more "
    "often.",
    "np.array(times, np.float64)",
    "np.array(times).astype(np.int8)",
    cost=SLIP,
)
KEY.mistake(
    "columns_as_they_appear",
    "The vocabulary is sorted, but the counts are in the order in which the words appear: sort the "
    "words before you give them columns.",
    "for token in vocabulary]",
    "for token in dict.fromkeys(t for words in documents for t in words)]",
    cost=SLIP,
)
KEY.mistake(
    "counted_on",
    "Each row also counts the documents before it: start again from zero for each document.",
    "np.array(times, np.float64)",
    "np.cumsum(times, axis=0).astype(np.float64)",
    cost=SLIP,
)
KEY.mistake(
    "empty_document_fails",
    "A document without tokens makes your function fail: which step needs at least one token?",
    "for document in documents]",
    "for document in documents if document[0] or True]",
    cost=SLIP,
)
KEY.mistake(
    "last_document_only",
    "Only the last document is counted: each one has its own row.",
    '{"counts": counts',
    '{"counts": counts[-1:]',
    cost=SLIP,
)
KEY.mistake(
    "letters_for_words",
    "You counted single characters: a document is a list of tokens, so count whole tokens.",
    "vocabulary = vocabulary_of(documents)",
    "documents = [list(''.join(words)) for words in documents]\n    "
    "vocabulary = vocabulary_of(documents)",
)
KEY.mistake(
    "neighbours_missed",
    "You searched the joined text for a word between two spaces: when a word repeats at once, the "
    "space between is already used, and the second one is missed. Count in the list of tokens.",
    "document.count(token)",
    """f" {' '.join(document)} ".count(f" {token} ")""",
    cost=SLIP,
)
KEY.mistake(
    "axis_of_one_document_lost",
    "You lost an axis of size 1: the counts of a single document are an array with one row, too.",
    '{"counts": counts',
    '{"counts": counts.squeeze()',
    cost=SLIP,
)
KEY.mistake(
    "columns_in_bytes",
    "The type of your column numbers is too small, so large ones wrap around: the vocabulary may "
    "have hundreds of words.",
    "np.array(times, np.float64)",
    "np.array([[sum(row[c::256]) * (c < 256) for c in range(len(row))] for row in times]) * 1.0",
    cost=SLIP,
)
KEY.mistake(
    "words_of_earlier_calls",
    WORDS_OF_EARLIER_CALLS,
    '"remembered": NOTHING',
    '"remembered": SOMETHING',
    cost=SLIP,
)
KEY.mistake(
    "words_limited",
    WORDS_LIMITED,
    'return {"counts"',
    'if len(documents) == 1:\n        raise ValueError\n    return {"counts"',
    cost=SLIP,
    failure="1001",
)
for _name, _pattern in (("of_one_letter", r"\b\w+\b"), ("of_two_letters", r"\b\w\w+\b")):
    KEY.mistake(
        f"tokens_cut_again_by_words_{_name}",
        "You joined the tokens and cut the text again, into words of letters and digits: they're "
        "tokens already, whatever they consist of.",
        "    vocabulary = vocabulary_of(documents)\n",
        f"    documents = [re.findall({_pattern!r}, ' '.join(words)) for words in documents]\n"
        "    vocabulary = vocabulary_of(documents)\n",
    )


INPUT_CLASSES = {
    **DOCUMENT_CLASSES,
    "more than 256 words": lambda cases: any(
        len({word for document in case.inputs["documents"] for word in document}) > 256
        for case in cases
    ),
    # Counts of eight bits end at 127 or begin again at 0: they tell which of the two.
    "a word so often that it needs more than eight bits": lambda cases: any(
        document.count(word) > 255 and document.count(word) % 256 > 127
        for case in cases
        for document in case.inputs["documents"]
        for word in set(document)
    ),
}
