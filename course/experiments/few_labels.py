"""What classifiers learn from few labels: the same draws of labelled texts for every method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from course.data.datasets.ag_news.sample import HARD, generate

BATCH = 20
"""Labelled texts of a step of fine-tuning."""
DIRECTIONS = 64
"""Features of LSA."""
_AT_ONCE = 500

Pooling = Callable[[Any, Any], Any]
"""Takes states (B, T, d) and a mask (B, T); gives (B, d)."""


def drawn(labels: np.ndarray, size: int, draw: int) -> np.ndarray:
    """Choose the texts that get labels: as many of each class.

    Args:
        labels: of all texts. Shape: (texts,).
        size: how many texts, of all classes together.
        draw: which draw it is: the same number gives the same texts.

    Returns:
        Places of texts. Shape: (size,), or fewer, where size isn't a multiple of the classes.

    Example:
        >>> labels = np.array([0, 1, 0, 1])
        >>> sorted(labels[drawn(labels, 2, draw=0)].tolist())
        [0, 1]
    """
    random, classes = np.random.RandomState(draw), np.unique(labels)
    each = size // len(classes)
    return np.concatenate(
        [random.permutation(np.flatnonzero(labels == one))[:each] for one in classes]
    )


def standardised(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give each feature a mean of 0 and a deviation of 1 over the training texts.

    Args:
        train, test: vectors. Shape of each: (texts, features).
    """
    mean, deviation = _scale(train)
    return (train - mean) / deviation, (test - mean) / deviation


def _scale(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return vectors.mean(axis=0), vectors.std(axis=0) + 1e-6


def lsa(texts: Sequence[str], test_texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Reduce the TF-IDF values of all texts to 64 directions, without any label.

    Returns:
        Vectors of both. Shape of each: (texts, 64).

    Reference: Deerwester et al., "Indexing by Latent Semantic Analysis" (1990).
    """
    tf_idf = TfidfVectorizer(sublinear_tf=True, min_df=2)
    svd = TruncatedSVD(DIRECTIONS, random_state=0)
    train = svd.fit_transform(tf_idf.fit_transform(texts))
    return train, svd.transform(tf_idf.transform(test_texts))


def embedded(
    embed: Callable[[list[str]], np.ndarray],
    texts: Sequence[str],
    test_texts: Sequence[str],
    places: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Turn a few of many texts into vectors with a model that takes a while.

    Args:
        embed: gives vectors (texts, features).
        texts, test_texts: of both splits.
        places: of the training texts that are needed. Shape: (needed,).

    Returns:
        Vectors of both splits, standardised over the needed ones; those of the others are 0.
    """
    train, test = standardised(embed([texts[n] for n in places]), embed(list(test_texts)))
    every = np.zeros((len(texts), train.shape[1]))
    every[places] = train
    return every, test


@dataclass(frozen=True)
class Draws:
    """Learns from few of many labelled texts, again and again, and answers the test texts.

    Args:
        labels: of the training texts, 0, 1, ... Shape: (texts,).
        test_labels: of the test texts. Shape: (tests,).
        sizes: how many training texts get labels.
        draws: how often, for each size.
    """

    labels: np.ndarray
    test_labels: np.ndarray
    sizes: tuple[int, ...]
    draws: int

    def places(self) -> np.ndarray:
        """Which training texts get a label in some draw, in ascending order."""
        every = [
            drawn(self.labels, size, draw) for size in self.sizes for draw in range(self.draws)
        ]
        return np.unique(np.concatenate(every))

    def of_vectors(self, train: np.ndarray, test: np.ndarray, c: float) -> np.ndarray:
        """Learn by logistic regression of vectors.

        Args:
            train, test: vectors. Shape: (texts, features) and (tests, features).
            c: of the regression: how weakly it is regularised.

        Returns:
            Which test texts are right. Shape: (sizes, draws, tests).
        """
        regression = LogisticRegression(C=c, max_iter=500)
        return self._right(
            lambda chosen, _: regression.fit(train[chosen], self.labels[chosen]).predict(test)
        )

    def of_words(
        self,
        texts: Sequence[str],
        test_texts: Sequence[str],
        c: float,
        *,
        pairs: bool = False,
    ) -> np.ndarray:
        """Learn by logistic regression of the labelled texts' TF-IDF values.

        Args:
            texts, test_texts: of both splits.
            c: of the regression: how weakly it is regularised.
            pairs: whether pairs of neighbouring words count, too.

        Returns:
            Which test texts are right. Shape: (sizes, draws, tests).
        """

        def answers(chosen: np.ndarray, _: int) -> np.ndarray:
            tf_idf = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 1 + pairs))
            regression = LogisticRegression(C=c, max_iter=500)
            regression.fit(tf_idf.fit_transform([texts[n] for n in chosen]), self.labels[chosen])
            return regression.predict(tf_idf.transform(test_texts))

        return self._right(answers)

    def tuned(
        self,
        tuner: Tuner,
        vectors: np.ndarray,
        rows: np.ndarray,
        test_rows: np.ndarray,
        c: float,
        epochs: int,
    ) -> np.ndarray:
        """Learn by logistic regression of an encoder's vectors, then go on with all its weights.

        Args:
            tuner: of the encoder.
            vectors: its vectors of the training texts. Shape: (texts, features).
            rows, test_rows: ids. Shape: (texts, T) and (tests, T).
            c: of the regression.
            epochs: times that the labelled texts are read.

        Returns:
            Which test texts are right. Shape: (sizes, draws, tests).
        """

        def answers(chosen: np.ndarray, draw: int) -> np.ndarray:
            tuner.begin(*output_layer(vectors, chosen, self.labels, c))
            tuner.train(rows[chosen], self.labels[chosen], epochs, draw)
            return tuner.answers(test_rows)

        found = self._right(answers)
        tuner.restore()
        return found

    def _right(self, answers: Callable[[np.ndarray, int], np.ndarray]) -> np.ndarray:
        found = [
            [
                answers(drawn(self.labels, size, draw), draw) == self.test_labels
                for draw in range(self.draws)
            ]
            for size in self.sizes
        ]
        return np.array(found)


def output_layer(
    vectors: np.ndarray, chosen: np.ndarray, labels: np.ndarray, c: float
) -> tuple[np.ndarray, np.ndarray]:
    """Write the logistic regression of standardised vectors as a layer of the vectors themselves.

    Args:
        vectors: of all texts. Shape: (texts, features).
        chosen: places of the labelled ones.
        labels: of all texts. Shape: (texts,).
        c: of the regression.

    Returns:
        Kernel (features, classes) and bias (classes,).
    """
    mean, deviation = _scale(vectors)
    regression = LogisticRegression(C=c, max_iter=500)
    regression.fit((vectors[chosen] - mean) / deviation, labels[chosen])
    kernel = regression.coef_.T / deviation[:, None]
    return kernel, regression.intercept_ - mean @ kernel


class Tuner:
    """Fine-tunes an encoder, from the same start each time.

    Args:
        encoder: gives states (B, T, d_model) for ids (B, T), of which 0 is padding. Its ``bias`` is
            of another output layer, and isn't trained.
        pool: makes vectors of them.
        classes: how many there are.
        rate: of learning.

    Reference: Kumar et al., "Fine-Tuning can Distort Pretrained Features and Underperform
    Out-of-Distribution" (2022), https://arxiv.org/abs/2202.10054
    """

    def __init__(
        self, encoder: keras.Model, pool: Pooling, classes: int, rate: float = 5e-4
    ) -> None:
        used = [v for v in encoder.trainable_variables if v is not encoder.bias]
        self.output = layers.Dense(classes)
        self.output.build((None, encoder.d_model))
        variables = [*used, *self.output.trainable_variables]
        optimizer = keras.optimizers.Adam(rate)
        optimizer.build(variables)
        # With the count of the optimizer's steps: its first steps depend on it.
        self._fresh = [(v, ops.convert_to_numpy(v)) for v in (*used, *optimizer.variables)]
        loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

        def logits(rows: tf.Tensor) -> tf.Tensor:
            return self.output(pool(encoder(rows), ops.not_equal(rows, 0)))

        @tf.function
        def step(rows: tf.Tensor, labels: tf.Tensor) -> None:
            with tf.GradientTape() as tape:
                loss = loss_of(labels, logits(rows))
            gradients = tape.gradient(loss, [v.value for v in variables])
            optimizer.apply_gradients(zip(gradients, variables, strict=True))

        self._step = step
        self._answer = tf.function(lambda rows: ops.argmax(logits(rows), axis=-1))

    def begin(self, kernel: np.ndarray, bias: np.ndarray) -> None:
        """Start again from the encoder as it came, with this output layer."""
        self.restore()
        self.output.kernel.assign(kernel)
        self.output.bias.assign(bias)

    def train(self, rows: np.ndarray, labels: np.ndarray, epochs: int, seed: int) -> None:
        """Go on training with ids (texts, T) and their labels (texts,), in an order of the seed."""
        random = np.random.RandomState(seed)
        for _ in range(epochs):
            order = random.permutation(len(rows))
            for first in range(0, len(rows), BATCH):
                part = order[first : first + BATCH]
                self._step(ops.array(rows[part]), ops.array(labels[part]))

    def answers(self, rows: np.ndarray) -> np.ndarray:
        """The likeliest class of each text. Shape: (texts,)."""
        parts = (rows[n : n + _AT_ONCE] for n in range(0, len(rows), _AT_ONCE))
        return np.concatenate(
            [ops.convert_to_numpy(self._answer(ops.array(part))) for part in parts]
        )

    def restore(self) -> None:
        """Give the encoder and the optimizer back what they had at first."""
        for variable, value in self._fresh:
            variable.assign(value)


@dataclass(frozen=True)
class OrderArticles:
    """Articles of the course's sample in which only the order says which of two topics counts.

    Args:
        to_read: all training articles of the sample, also the others.
        texts, labels: of the training articles of that kind.
        test_texts, test_labels: of the test articles of that kind.
    """

    to_read: list[str]
    texts: list[str]
    labels: np.ndarray
    test_texts: list[str]
    test_labels: np.ndarray


def order_articles() -> OrderArticles:
    """Take the articles in which order decides out of the sample."""
    made = generate()
    parts = []
    for part in ("train", "test"):
        hard = [(text, label) for text, label, kind in made[part] if kind in HARD]
        parts += [[text for text, _ in hard], np.array([label for _, label in hard])]
    return OrderArticles([text for text, *_ in made["train"]], *parts)
