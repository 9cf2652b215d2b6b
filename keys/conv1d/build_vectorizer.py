"""The key of ``conv1d.build_vectorizer``."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import Key
from course.exercises.conv1d.build_vectorizer import EXERCISE
from keys.conv1d.common import standardized


def words_of(text: str) -> list[str]:
    """What white space separates in a standardized text.

    Example:
        >>> words_of("Not -- bad!")
        ['not', 'bad']
    """
    return standardized(text).split()


def by_frequency(tokens: list[str]) -> list[str]:
    """Different tokens, the most frequent first; of equals, as Keras has it, the alphabet's last.

    Example:
        >>> by_frequency(["a", "c", "b", "c"])
        ['c', 'b', 'a']
    """
    counts = Counter(tokens)
    return sorted(counts, key=lambda token: (counts[token], token), reverse=True)


def encoded(documents: list[list[str]], vocabulary: list[str], sequence_length: int) -> np.ndarray:
    """Ids (documents, sequence_length): 1 for tokens outside the vocabulary, 0 after the end.

    Example:
        >>> encoded([["b", "x"], ["a", "b", "b", "a"]], ["", "[UNK]", "a", "b"], 3).tolist()
        [[3.0, 1.0, 0.0], [2.0, 3.0, 3.0]]
    """
    numbers = {token: number for number, token in enumerate(vocabulary)}
    ids = np.zeros((len(documents), sequence_length))
    for row, document in enumerate(documents):
        for column, token in enumerate(document[:sequence_length]):
            ids[row, column] = numbers.get(token, 1)
    return ids


def build_vectorizer(
    texts: list[str], max_tokens: int, sequence_length: int, new_texts: list[str]
) -> dict[str, Any]:
    """Token ids by frequency, learned from ``texts``, of ``new_texts``.

    Args:
        texts: what the vocabulary is taken from.
        max_tokens: entries of the vocabulary, padding and unknown included.
        sequence_length: ids of each text, cut or padded.
        new_texts: what is encoded.

    Returns:
        ids: (new_texts, sequence_length); vocabulary: padding "", unknown "[UNK]", then words.

    Example:
        >>> result = build_vectorizer(["so so good", "so good", "bad"], 4, 3, ["So bad"])
        >>> result["vocabulary"], result["ids"].tolist()
        (['', '[UNK]', 'so', 'good'], [[2.0, 1.0, 0.0]])
    """
    tokens = [token for text in texts for token in words_of(text)]
    vocabulary = ["", "[UNK]", *by_frequency(tokens)][:max_tokens]
    documents = [words_of(text) for text in new_texts]
    return {"ids": encoded(documents, vocabulary, sequence_length), "vocabulary": vocabulary}


KEY = Key(EXERCISE, build_vectorizer)

_vectorizer = partial(KEY.mistake, alone=True)

_vectorizer(
    "default_standardization",
    "The layer standardises in its own way, which leaves the letters of line breaks behind: "
    "give it your standardize.",
    '.replace("<br />", " ")',
    "",
)
_vectorizer(
    "lower_case_only",
    "The layer only converts to lower case: give it your standardize.",
    "standardized(text).split()",
    "text.lower().split()",
)
_vectorizer(
    "no_standardization",
    "The layer doesn't standardise anything: give it your standardize.",
    "standardized(text).split()",
    "text.split()",
)
_vectorizer(
    "no_sequence_length",
    "The rows are as long as the longest text: you didn't tell the layer how long they should be.",
    "vocabulary, sequence_length)",
    "vocabulary, max(map(len, documents)))",
)
_vectorizer(
    "vocabulary_not_limited",
    "The vocabulary isn't limited: you didn't give the layer max_tokens.",
    "[:max_tokens]",
    "",
)
_vectorizer(
    "two_tokens_more",
    "The vocabulary is two entries too large: does max_tokens exclude padding and unknown?",
    "[:max_tokens]",
    "[: max_tokens + 2]",
)
_vectorizer(
    "two_tokens_less",
    "The vocabulary is two entries too small: you subtracted padding and unknown a second time.",
    "[:max_tokens]",
    "[: max_tokens - 2]",
)
_vectorizer(
    "multi_hot",
    "Each text became one row over the vocabulary, without word order: which output does a "
    "convolution need?",
    # Padding has no column, and a text is read to its end.
    "encoded(documents, vocabulary, sequence_length)",
    "np.array([np.isin(range(1, len(vocabulary)), row) for row in"
    " encoded(documents, vocabulary, max(map(len, documents)))], float)",
    '"vocabulary": vocabulary',
    '"vocabulary": vocabulary[1:]',
)
_vectorizer(
    "sizes_swapped",
    "The two sizes are swapped: name the arguments when you pass them.",
    "[:max_tokens]",
    "[:sequence_length]",
    "vocabulary, sequence_length)",
    "vocabulary, max_tokens)",
)
_vectorizer(
    "adapted_on_the_first_text",
    "The layer knows only the words of the first text: it has to see all texts.",
    "for text in texts for",
    "for text in texts[:1] for",
)
_vectorizer(
    "word_pairs",
    "Word pairs have ids, too: the task asks for single words only.",
    "return standardized(text).split()",
    "words = standardized(text).split(); return words + list(map(' '.join, zip(words, words[1:])))",
)
