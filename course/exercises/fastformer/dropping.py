"""What a Fastformer classifier drops while it trains, found out from its outputs alone.

Two words carry signals, 1 and 2, in two features of their embeddings; all other weights are 0. The
first layer's queries copy the first feature to another one. So what a class sums up is one of few
numbers, and it tells which of the signals were dropped and by what the others were multiplied:
every sum of n places in a row that drop with the rate r and keep the mean is a multiple of
1 / (1 - r)ⁿ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course.exercises.weights import tensor

AS_ASKED = "as asked"
WHILE_PREDICTING = "something is dropped while predicting: the same text gives other numbers"
NOTHING = "nothing is dropped while training"
WORDS_ONLY = "features of the words are dropped while training, but none after the mean"
MEAN_ONLY = "features are dropped after the mean while training, but none of the words' features"
ALIKE = "a feature is dropped from all words at once while training, not from each word by chance"
WHOLE_WORDS = "all features of a word are dropped at once while training, not each by chance"
REVERSED = "1 - rate of the features are dropped while training; expected rate"
ELSEWHERE = "features are dropped in the layers or just before the mean while training"
OTHER_RATE = "the share of features that are dropped while training isn't rate"
FOUND = (
    AS_ASKED,
    WHILE_PREDICTING,
    NOTHING,
    WORDS_ONLY,
    MEAN_ONLY,
    ALIKE,
    WHOLE_WORDS,
    REVERSED,
    ELSEWHERE,
    OTHER_RATE,
)
"""What dropping may be."""

CHANGING = "other numbers for the same text"
"""Stands for the probabilities of a model that drops while predicting."""

# What one text in about twenty shows is missing in all of these once in 10²⁰ times.
_TEXTS = 1000
_COPIES = 64

# The feature that residual connections carry, the one the queries make of it, and one more.
_CARRIED, _COPIED, _OTHER = range(3)
_SIGNALS = 1.0, 2.0
_WORDS = 2, 3
_OTHER_WORD = 4
_ALL_SIGNALS = sum(_SIGNALS)
# Rounding of float32 is less; the factors of other rates differ by more.
_EXACT = 3e-3


def is_steady(model: Any, ids: np.ndarray) -> bool:
    """Whether a text's rows agree when it comes many times in one batch."""
    rows = np.array(model(tensor(np.repeat(ids[:1], _COPIES, axis=0))))
    return bool(np.allclose(rows, rows[:1], rtol=1e-3, atol=1e-6))


def found(model: Any, ids: np.ndarray, hidden_size: int, rate: float, *, filled: bool) -> str:
    """How a model drops while it trains; it leaves the model with other weights.

    Args:
        model: takes ids (batch, length).
        ids: of the shape that it takes.
        hidden_size: of the embeddings.
        rate: that was asked for.
        filled: whether all weights are known, so that vectors may be set to 0; other models' are
            left as they were made.

    Returns:
        One of ``FOUND``, or "" where the weights aren't those of such a model.
    """
    if not _set_signals(model, ids.shape[1], hidden_size, clear=filled):
        return ""
    text = np.full((1, ids.shape[1]), _OTHER_WORD)
    text[0, : len(_SIGNALS)] = _WORDS
    texts = tensor(np.repeat(text, _TEXTS, axis=0))
    if not is_steady(model, text):
        return WHILE_PREDICTING
    biased = len(model.trainable_weights[-1].shape) == 1
    still = _sums(np.array(model(tensor(text))), biased)[0]
    read = [feature for feature in (_CARRIED, _COPIED, _OTHER) if abs(still[feature]) > 1e-3]
    if not read or not np.isfinite(still).all():
        return ""
    sums = _sums(np.array(model(texts, training=True)), biased)
    return judge_sums({feature: sums[:, feature] / still[feature] for feature in read}, rate)


def _set_signals(model: Any, length: int, size: int, *, clear: bool) -> bool:
    """Give a model its signals; return whether it has the places for them."""
    variables = list(model.trainable_weights)
    matrices = [weight for weight in variables if len(weight.shape) == 2]
    squares = [weight for weight in matrices if tuple(weight.shape) == (size, size)]
    if len(matrices) < 2 or matrices[0].shape[1] != size or matrices[-1].shape[0] != size:
        return False
    if matrices[0].shape[0] <= _OTHER_WORD or matrices[-1].shape[1] < 4:
        return False
    if sum(tuple(weight.shape) == (size,) for weight in variables) != len(squares) // 4:
        return False  # there is a normalisation
    for weight in variables:
        if clear or len(weight.shape) > 1 or weight is variables[-1]:
            weight.assign(np.zeros(weight.shape, np.float32))
    table, kernel = (np.zeros(matrices[place].shape, np.float32) for place in (0, -1))
    for word, signal in zip(_WORDS, _SIGNALS, strict=True):
        table[word, [_CARRIED, _OTHER]] = signal / _ALL_SIGNALS
    # Sums of about 1 in a model that scales its embeddings and takes their mean.
    for feature in (_CARRIED, _COPIED, _OTHER):
        kernel[feature, feature + 1] = length / np.sqrt(size)
    matrices[0].assign(table)
    matrices[-1].assign(kernel)
    if tuple(variables[-1].shape) == (kernel.shape[1],):
        # Below 0, so that bare sums don't look like probabilities.
        variables[-1].assign(-np.eye(1, kernel.shape[1], dtype=np.float32)[0])
    for number, query in enumerate(squares[::4]):
        copied = np.zeros((size, size), np.float32)
        copied[_COPIED if number else _CARRIED, _COPIED] = 1.0
        query.assign(copied)
    return True


def _sums(rows: np.ndarray, biased: bool) -> np.ndarray:
    """What each of three classes sums up, (texts, 3): an activation and the bias after that are
    undone."""
    rows = rows.astype(np.float64)
    if (rows > 0).all() and np.allclose(rows.sum(axis=1), 1, atol=1e-4):
        sums = np.log(np.maximum(rows, 1e-37))
    elif ((rows > 0) & (rows < 1)).all():
        sums = np.log(rows / (1 - rows))
    else:
        sums = rows
    return sums[:, 1:4] - sums[:, :1] - float(biased)


def judge_sums(sums: dict[int, np.ndarray], rate: float) -> str:
    """How a model drops whose sums (texts,) by feature these are, 1 where nothing is dropped."""
    first = next(iter(sums.values()))
    if np.abs(first - 1).max() < _EXACT:
        return NOTHING
    largest = {feature: float(of.max()) for feature, of in sums.items()}
    top = next(iter(largest.values()))
    zero = {feature: np.abs(of) < _EXACT * top for feature, of in sums.items()}
    by_word = (~zero[next(iter(sums))] & (first < (1 - _EXACT) * top)).any()
    if _CARRIED in sums and _COPIED in sums:
        # Both have the same words' signals, and features of their own in the mean.
        after_mean = (zero[_CARRIED] & ~zero[_COPIED]).any()
    else:
        after_mean = zero[next(iter(sums))].mean() > 0.25
    kept = 1 / (1 - rate)
    if not by_word:
        return ALIKE if _near(top, kept**2) else MEAN_ONLY
    if not _drop_together(sums, largest, zero, (_CARRIED, _COPIED)):
        return ELSEWHERE  # the copy is made of what the first dropout leaves
    if not after_mean:
        return WORDS_ONLY
    pair = _CARRIED, _OTHER
    if sums.keys() >= {*pair} and _drop_together(sums, largest, zero, pair):
        return WHOLE_WORDS
    if _near(top, kept**2):
        return AS_ASKED
    return REVERSED if _near(top, 1 / rate**2) or _near(top, kept / rate) else OTHER_RATE


def _near(value: float, other: float) -> bool:
    return abs(value - other) < _EXACT * other


def _drop_together(
    sums: dict[int, np.ndarray],
    largest: dict[int, float],
    zero: dict[int, np.ndarray],
    features: tuple[int, int],
) -> bool:
    """Whether two features of a word are only ever dropped together, or nobody can say."""
    if not sums.keys() >= {*features}:
        return True
    both = ~(zero[features[0]] | zero[features[1]])
    one, two = (sums[feature][both] / largest[feature] for feature in features)
    return bool(np.abs(one - two).max(initial=0.0) < _EXACT)
