"""Texts as ids of their words: a vocabulary, and rows of one length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import keras
import numpy as np
import tensorflow as tf
from nltk.tokenize import wordpunct_tokenize

if TYPE_CHECKING:
    from course.data.datasets import TextDataset

PADDING, UNKNOWN = 0, 1
"""Ids that no word has."""

_WORDS = 20_000
"""At most as many are told apart."""


def arrays(split: tf.data.Dataset) -> tuple[list[str], np.ndarray]:
    """The texts of a split, and their labels (texts,)."""
    texts, labels = _first(split, len(split))
    return [text.decode() for text in texts], labels


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


class Texts(NamedTuple):
    """Some texts and their labels.

    Args:
        ids: of the words, 0 for padding (texts, length).
        labels: class numbers (texts,).
        texts: as they are read, bytes (texts,).
    """

    ids: np.ndarray
    labels: np.ndarray
    texts: np.ndarray


class Arrays(NamedTuple):
    """What a classifier needs.

    Args:
        vocabulary_size: how many ids there are, padding and unknown words included.
        learned: nine tenths of the training texts, to learn from.
        held_out: the other tenth, to watch a training with.
        test: the test texts.
    """

    vocabulary_size: int
    learned: Texts
    held_out: Texts
    test: Texts


def prepare(data: TextDataset, *, most: int, length: int) -> Arrays:
    """Turn texts into ids, with a vocabulary of the training texts.

    Args:
        data: texts and labels.
        most: texts of each split, from its beginning.
        length: ids per text; longer texts are cut off, shorter ones padded.
    """
    texts, labels = _first(data.train, most)
    vectorizer = keras.layers.TextVectorization(max_tokens=_WORDS, output_sequence_length=length)
    vectorizer.adapt(tf.data.Dataset.from_tensor_slices(texts).batch(1000))

    def chosen(texts: np.ndarray, labels: np.ndarray) -> Texts:
        return Texts(vectorizer(texts).numpy(), labels, texts)

    order = np.random.RandomState(7).permutation(len(texts))
    held_out, learned = np.split(order, [len(texts) // 10])
    return Arrays(
        vectorizer.vocabulary_size(),
        chosen(texts[learned], labels[learned]),
        chosen(texts[held_out], labels[held_out]),
        chosen(*_first(data.test, most)),
    )


def _first(split: tf.data.Dataset, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The first texts of a split, as bytes, and their labels."""
    count = min(len(split), most)
    texts, labels = split.take(count).batch(count).get_single_element()
    return texts.numpy(), labels.numpy()
