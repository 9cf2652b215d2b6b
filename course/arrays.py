"""A data set of texts as arrays of word ids, with a part of the training texts held out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import keras
import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from course.datasets import TextDataset

_WORDS = 20_000
"""At most as many are told apart."""


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
    texts, labels = _rows(data.train, most)
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
        chosen(*_rows(data.test, most)),
    )


def _rows(split: tf.data.Dataset, most: int) -> tuple[np.ndarray, np.ndarray]:
    count = min(len(split), most)
    texts, labels = split.take(count).batch(count).get_single_element()
    return texts.numpy(), labels.numpy()
