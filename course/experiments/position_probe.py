"""Texts whose label only depends on positions, and models for them: section 6 of lesson 05.

A text is a row of random words with two colours and a question word among them. Which of the two
colours is the answer depends on where they are, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np

COLOURS = ("red", "green", "blue", "grey")
QUESTIONS = ("after", "nearest")
WORDS = (*COLOURS, *QUESTIONS, *(f"word{number}" for number in range(40)))
"""A word's id is its place here; there is no padding."""

AFTER, NEAREST = map(WORDS.index, QUESTIONS)


def texts(count: int, length: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make texts, half of them with each question word.

    ``after``: one colour comes just before this word, the other just after it, which is the answer.
    ``nearest``: the answer is the nearer colour; the other one is at least twice as far away.

    Args:
        count: how many.
        length: words of each, at least 3.
        seed: the same one gives the same texts.

    Returns:
        Ids (count, length), answers (count,), from 0 to 3, and the ids of the question words
        (count,).

    Example:
        >>> ids, answers, asked = texts(2, 5, seed=0)
        >>> ids.shape, [WORDS[word] for word in asked]
        ((2, 5), ['after', 'nearest'])
    """
    random = np.random.RandomState(seed)
    lowest = len(COLOURS) + len(QUESTIONS)
    ids = random.randint(lowest, len(WORDS), size=(count, length))
    answers = np.zeros(count, "int32")
    asked = np.where(np.arange(count) % 2, NEAREST, AFTER)
    for text, question in enumerate(asked):
        right, wrong = random.permutation(len(COLOURS))[:2]
        if question == AFTER:
            place = random.randint(1, length - 1)
            near, far = place + 1, place - 1
        else:
            place, near, far = random.permutation(length)[:3]
            while 2 * abs(near - place) > abs(far - place):
                place, near, far = random.permutation(length)[:3]
        ids[text, [place, near, far]] = question, right, wrong
        answers[text] = right
    return ids.astype("int32"), answers, asked


class PlaceVectors(keras.layers.Layer):
    """Adds a vector for each place.

    Args:
        kind: "sinusoidal", which is fixed, or "learned".
        length: the longest text, in words.
        start: initializer of the learned vectors.

    Call arguments:
        inputs: word vectors (batch, time, hidden_size), with an even hidden_size.

    Returns:
        Their sums with the places' vectors, of the same shape.

    Reference: Vaswani et al., "Attention Is All You Need" (2017), section 3.5.
    """

    def __init__(self, kind: str, length: int, start: Any, **options: Any) -> None:
        super().__init__(**options)
        if kind not in ("sinusoidal", "learned"):
            raise ValueError(f"kind must be 'sinusoidal' or 'learned'. Received: kind={kind!r}")
        self.kind, self.length, self.start = kind, length, start

    def build(self, input_shape: tuple[int | None, ...]) -> None:
        size = input_shape[-1]
        place = np.arange(self.length)[:, None]
        angle = place / 10_000 ** (np.arange(0, size, 2) / size)
        waves = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(self.length, size)
        learned = self.kind == "learned"
        self.table = self.add_weight(
            name="table",
            shape=waves.shape,
            initializer=self.start if learned else keras.initializers.Constant(waves),
            trainable=learned,
        )

    def call(self, inputs: Any) -> Any:
        return inputs + self.table[: keras.ops.shape(inputs)[1]]


def build_reader(
    attention: Callable[[int, int, int], Any],
    length: int,
    *,
    places: str = "",
    longest: int = 128,
    hidden_size: int = 32,
    num_heads: int = 4,
    max_length: int = 16,
) -> keras.Model:
    """A model that reads such texts: word vectors, attention, residual path, norm, output at the
    question word.

    All tables of positions that are learned, and the word vectors, start with a standard deviation
    of 0.7, that of sinusoidal vectors.

    Args:
        attention: makes the layer from hidden_size, num_heads and max_length. If it has a
            ``distance_embedding``, that's its table.
        length: words of each text that it will read.
        places: what is added to the word vectors: "sinusoidal", "learned", or nothing.
        longest: words of the longest text that models with the same weights will read.
        hidden_size: features of a word.
        num_heads: of the attention.
        max_length: of its table of distances, L.

    Returns:
        A model from ids (batch, length) to the probabilities of the colours (batch, 4).
    """

    def start() -> keras.Initializer:
        # A new one for each table: one alone gives all the same numbers.
        return keras.initializers.RandomNormal(stddev=0.7)

    ids = keras.Input((length,), dtype="int32")
    x = keras.layers.Embedding(len(WORDS), hidden_size, embeddings_initializer=start())(ids)
    if places:
        x = PlaceVectors(places, longest, start())(x)
    layer = attention(hidden_size, num_heads, max_length)
    if hasattr(layer, "distance_embedding"):
        layer.distance_embedding.embeddings_initializer = start()
    x = keras.layers.LayerNormalization(epsilon=1e-6)(x + layer(x))
    asks = keras.ops.logical_or(keras.ops.equal(ids, AFTER), keras.ops.equal(ids, NEAREST))
    x = keras.layers.GlobalAveragePooling1D()(x, mask=asks)  # of one word
    return keras.Model(ids, keras.layers.Dense(len(COLOURS), activation="softmax")(x))
