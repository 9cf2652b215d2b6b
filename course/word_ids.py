"""Texts as ids of their tokens: a vocabulary, and rows of one length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import keras
import numpy as np
from nltk.tokenize import wordpunct_tokenize

if TYPE_CHECKING:
    import tensorflow as tf

PADDING, UNKNOWN = 0, 1
"""Ids that no word has."""


def arrays(split: tf.data.Dataset) -> tuple[list[str], np.ndarray]:
    """The texts of a split, and their labels (texts,)."""
    texts, labels = split.batch(len(split)).get_single_element()
    return [text.decode() for text in texts.numpy()], labels.numpy()


def tokens_of(text: str) -> list[str]:
    """Words in lower case and, as tokens of their own, punctuation."""
    return wordpunct_tokenize(text.lower())


def word_index(texts: Iterable[str], most: int = 10_000) -> dict[str, int]:
    """Give ids to the tokens that are in two texts or more.

    Args:
        texts: to learn from.
        most: ids at most, padding and unknown words included; the tokens in most texts get one.

    Example:
        >>> word_index(["Oil rises.", "Oil falls", "Gold falls"])
        {'oil': 2, 'falls': 3}
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(list(dict.fromkeys(tokens_of(text))))
    known = [token for token, count in counts.most_common(most - 2) if count > 1]
    return {token: number for number, token in enumerate(known, start=2)}


def ids_of(texts: Iterable[str], index: Mapping[str, int]) -> list[list[int]]:
    """The ids of each text's tokens."""
    return [[index.get(token, UNKNOWN) for token in tokens_of(text)] for text in texts]


def padded(rows: Sequence[Sequence[int]], length: int) -> np.ndarray:
    """Rows of ids, cut off or filled up with padding (rows, length)."""
    return keras.utils.pad_sequences(rows, length, padding="post", truncating="post")
