"""What a Fastformer classifier drops while it trains, found out from its outputs alone.

Without blocks, two words carry signals, 1 and 2, in two features of their embeddings, and all words
get equal weights. So what a class sums up is one of few numbers, and it tells which of the signals
were dropped and by what the others were multiplied: what drops with the rate r and keeps the mean
is divided by 1 - r.

With blocks, the network of one of them decides the sign of a feature of each word: the share that
is negative is the rate at which that block drops. If nothing else is dropped, the words' signs have
equal sizes, so their mean is one of few numbers again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.weights import tensor

AS_ASKED = "as asked"
WHILE_PREDICTING = "something is dropped while predicting: the same text gives other numbers"
NOTHING = "nothing is dropped from the embeddings while training"
AFTER_POOLING = "features are dropped after the pooling as well while training"
ALIKE = "a feature is dropped from all words at once while training, not from each word by chance"
WHOLE_WORDS = "all features of a word are dropped at once while training, not each by chance"
REVERSED = "1 - rate of the features are dropped while training; expected rate"
OTHER_RATE = "the share of the embeddings' features that are dropped while training isn't rate"
OTHER_RATE_IN_BLOCKS = "the blocks don't drop a share of rate while training"
ELSEWHERE = "features are dropped between the blocks or after them while training"
FOUND = (
    AS_ASKED,
    WHILE_PREDICTING,
    NOTHING,
    AFTER_POOLING,
    ALIKE,
    WHOLE_WORDS,
    REVERSED,
    OTHER_RATE,
    OTHER_RATE_IN_BLOCKS,
    ELSEWHERE,
)
"""What dropping may be."""

CHANGING = "other numbers for the same text"
"""Stands for the probabilities of a model that drops while predicting."""

_COPIES = 64
# Shares of these are within 0.03, and of those for blocks within 0.025, of their chances by five
# standard deviations and more.
_TEXTS = 4000
_TEXTS_FOR_BLOCKS = 10_000

# The features that carry signals, and the words that have them.
_FEATURES = 2
_SIGNALS = 1.0, 2.0
_WORDS = 2, 3
_OTHER_WORD = 4
# What a block's network gives, before dropout makes it more, and what it has to make up for. The
# epsilon of a norm is small beside what is left.
_PART, _MADE_UP_FOR = 3000.0, 3050.0
# Rounding of float32 is less; the factors of other rates differ by more.
_EXACT = 3e-3


def is_steady(model: Any, ids: np.ndarray) -> bool:
    """Whether a text's rows agree when it comes many times in one batch."""
    rows = np.array(model(tensor(np.repeat(ids[:1], _COPIES, axis=0))))
    return bool(np.allclose(rows, rows[:1], rtol=1e-3, atol=1e-6))


def found(model: Any, length: int, values: Mapping[str, np.ndarray], rate: float) -> str:
    """How a model drops while it trains; it leaves the model with other weights.

    Args:
        model: takes ids (batch, length).
        length: of the texts.
        values: weights that fit the model, in order of creation: "table", those of the blocks by
            number, such as "block 0: gamma_1", and "class_kernel".
        rate: that was asked for.

    Returns:
        One of ``FOUND``.
    """
    silent = {name: np.zeros_like(value) for name, value in values.items()}
    if any(name.startswith("block") for name in values):
        return _found_in_blocks(model, length, silent, rate)
    for word, signal in zip(_WORDS, _SIGNALS, strict=True):
        silent["table"][word, :_FEATURES] = signal / sum(_SIGNALS)
    # Sums of 1 in a model that takes the words' mean.
    np.fill_diagonal(silent["class_kernel"][:_FEATURES], length)
    weights.assign(model, silent)
    text = np.full((1, length), _OTHER_WORD)
    text[0, : len(_WORDS)] = _WORDS
    if not is_steady(model, text):
        return WHILE_PREDICTING
    return judge_sums(_sums(model, text, _TEXTS), rate)


def _found_in_blocks(model: Any, length: int, silent: Mapping[str, np.ndarray], rate: float) -> str:
    """The same of a model with blocks; all of the weights that it gets are 0 so far."""
    text = np.full((1, length), _OTHER_WORD)
    silent["class_kernel"][0, 0] = 1
    for name in silent:
        if not name.endswith(": contract_bias"):
            continue
        # What comes into this block is 0. The next ones keep the sign of what it gives.
        block = name.removesuffix("contract_bias")
        deciding = {f"{block}beta_1": -_MADE_UP_FOR, f"{block}contract_bias": _PART}
        keeping = {each: 1.0 for each in silent if "gamma" in each}
        changed = {
            each: number * np.eye(1, silent[each].size, dtype=np.float32)[0]
            for each, number in (deciding | keeping).items()
        }
        weights.assign(model, {**silent, **changed})
        if not is_steady(model, text):
            return WHILE_PREDICTING
        seen = judge_signs(_sums(model, text, _TEXTS_FOR_BLOCKS)[:, 0], length, rate)
        if seen != AS_ASKED:
            return seen
    return AS_ASKED


def _sums(model: Any, text: np.ndarray, count: int) -> np.ndarray:
    """What the first two classes sum up in training, as shares of what they do when predicting.

    An activation is undone. The last class sums up nothing.

    Args:
        model: takes ids (batch, length).
        text: (1, length).
        count: how many times it's asked for.

    Returns:
        (count, 2).
    """
    still, trained = (
        _undone(np.array(rows, np.float64))
        for rows in (
            model(tensor(text)),
            model(tensor(np.repeat(text, count, axis=0)), training=True),
        )
    )
    still, trained = (rows[:, :_FEATURES] - rows[:, -1:] for rows in (still, trained))
    with np.errstate(divide="ignore", invalid="ignore"):
        return trained / np.abs(still)


def _undone(rows: np.ndarray) -> np.ndarray:
    """Logits, up to what is the same for all classes of a text."""
    if (rows > 0).all() and np.allclose(rows.sum(axis=1), 1, atol=1e-4):
        return np.log(rows)
    return np.log(rows / (1 - rows)) if ((rows > 0) & (rows < 1)).all() else rows


def judge_sums(sums: np.ndarray, rate: float) -> str:
    """How a model without blocks drops whose two features' sums (texts, 2) these are, 1 where
    nothing is dropped."""
    if not np.isfinite(sums).all() or np.abs(sums - 1).max() < _EXACT:
        return NOTHING
    top, kept = sums.max(), 1 / (1 - rate)
    zero = np.abs(sums) < _EXACT * top
    if not (~zero & (sums < (1 - _EXACT) * top)).any():
        return ALIKE
    if np.abs(sums[:, 0] - sums[:, 1]).max() < _EXACT * top:
        return WHOLE_WORDS
    # How often both words lose a feature, if nothing but words loses it.
    if zero.mean() > (1 - 1 / top) ** 2 + 0.03:
        return AFTER_POOLING
    if abs(top - kept) < _EXACT * kept:
        return AS_ASKED
    return REVERSED if abs(top - 1 / rate) < _EXACT / rate else OTHER_RATE


def judge_signs(means: np.ndarray, length: int, rate: float) -> str:
    """How a model with blocks drops.

    Args:
        means: of the words' signs, (texts,), negative where the block drops.
        length: words of a text.
        rate: that was asked for.
    """
    positive = length * (1 + means) / 2
    if not np.isfinite(means).all() or np.abs(positive - positive.round()).max() > 0.02:
        return ELSEWHERE
    return AS_ASKED if abs((1 - means.mean()) / 2 - rate) < 0.025 else OTHER_RATE_IN_BLOCKS
