"""On the news sample every step of the course helps: TF-IDF < convolution < attention.

It trains: ``make test-lessons`` runs it.
"""

import functools
import math
import re
import string
from types import SimpleNamespace

import keras
import nbformat
import numpy as np
import tensorflow as tf
from keras import layers, ops
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from course.data import datasets
from course.experiments import training
from course.layers import PreNormEncoderLayer, WordsAndPositions
from tests.conftest import REPOSITORY

LENGTH = 48


def cells(lesson, *names, **given):
    """What cells of a lesson define, with what others define given."""
    path = REPOSITORY / "source" / lesson / f"{lesson}.ipynb"
    sources = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
    defined = {"keras": keras, "layers": layers, "ops": ops, "np": np, "tf": tf}
    defined |= {"functools": functools, "math": math, "re": re, "string": string, **given}
    for name in names:
        exec(sources[name], defined)
    return defined


def test_tf_idf_is_beaten_by_a_convolution_and_that_by_attention_with_positions():
    news = datasets.load("ag_news", source="sample")
    splits = [split.batch(len(split)).get_single_element() for split in (news.train, news.test)]
    (texts, labels), (test_texts, test_labels) = (
        ([text.decode() for text in rows.numpy()], labels.numpy()) for rows, labels in splits
    )

    tf_idf = TfidfVectorizer(ngram_range=(1, 2), stop_words="english", sublinear_tf=True)
    regression = LogisticRegression(C=5.0, max_iter=1000).fit(tf_idf.fit_transform(texts), labels)
    counted = regression.score(tf_idf.transform(test_texts), test_labels)

    vectorizer = layers.TextVectorization(output_sequence_length=LENGTH)
    vectorizer.adapt(texts)
    ids, test_ids = np.array(vectorizer(texts)), np.array(vectorizer(test_texts))

    def accuracy(model, rate, epochs):
        model.compile(
            keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"]
        )
        model.fit(ids, labels, batch_size=64, epochs=epochs, verbose=0)
        return model.evaluate(test_ids, test_labels, verbose=0)[1]

    size = vectorizer.vocabulary_size()
    keras.utils.set_random_seed(1)
    convolution = keras.Sequential(
        [
            layers.Embedding(size, 64),
            layers.Conv1D(64, 5, activation="relu"),
            layers.GlobalMaxPooling1D(),
            layers.Dropout(0.3),
            layers.Dense(4, activation="softmax"),
        ]
    )
    windowed = accuracy(convolution, 0.002, epochs=8)

    lesson = cells(
        "04-transformer-encoder",
        "positional_encoding",
        "encoder_layer",
        "positions-compared-setup",
        parts=SimpleNamespace(vocabulary_size=size),
        training=training,
        WordsAndPositions=WordsAndPositions,
        PreNormEncoderLayer=PreNormEncoderLayer,
    )
    keras.utils.set_random_seed(1)
    waves = lesson["positional_encoding"](LENGTH, 32)
    attended = accuracy(lesson["stack"](waves), 0.006, epochs=12)

    # A quarter of the test texts needs order: chance among two topics is 0.5 there.
    assert counted < 0.9
    assert counted + 0.03 < windowed
    assert windowed + 0.02 < attended
    assert attended > 0.97
