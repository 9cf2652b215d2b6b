"""What a classifier drops while it trains is told from its sums alone, here drawn with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from course.exercises import dropout

RATES = (0.35, 0.45)
TEXTS = 4000
LENGTH = 5


def masks(random, rate, *shape):
    """What dropout multiplies by: 0, or what keeps the mean."""
    if not rate:
        return np.ones((TEXTS, *shape))
    return (random.uniform(size=(TEXTS, *shape)) >= rate) / (1 - rate)


def sums(random, words, text=0.0, *, alike=False, whole=False):
    """The sums of two features, (texts, 2), 1 where nothing is dropped.

    Args:
        random: where the drops come from.
        words, text: rates of dropout after the embeddings, and after the pooling.
        alike: whether all words lose the same features.
        whole: whether a word loses all of its features.
    """
    signals = np.array([1.0, 2.0])[:, None] / 3
    kept = masks(random, words, 1 if alike else 2, 1 if whole else 2) * signals
    kept = np.broadcast_to(kept, (TEXTS, 2, 2))
    return kept.sum(axis=1) * masks(random, text, 2)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("seed", range(10))
def test_each_way_of_dropping_embeddings_is_told_apart(rate, seed):
    random = np.random.RandomState(seed)
    told = [
        (dropout.AS_ASKED, sums(random, rate)),
        (dropout.NOTHING, sums(random, 0)),
        (dropout.AFTER_POOLING, sums(random, rate, rate)),
        (dropout.ALIKE, sums(random, 0, rate)),
        (dropout.ALIKE, sums(random, rate, alike=True)),
        (dropout.WHOLE_WORDS, sums(random, rate, whole=True)),
        (dropout.REVERSED, sums(random, 1 - rate)),
        *((dropout.OTHER_RATE, sums(random, fixed)) for fixed in (0.1, 0.2, 0.25, 0.3, 0.4, 0.5)),
        *((dropout.AFTER_POOLING, sums(random, rate, fixed)) for fixed in (0.2, 0.3, 0.5)),
    ]
    for expected, drawn in told:
        assert dropout.judge_sums(drawn, rate) == expected


def signs(random, rate, *, after=0.0):
    """The means of some words' signs, (texts,), some of which are dropped by another dropout."""
    drawn = np.where(random.uniform(size=(20_000, LENGTH)) < rate, -1.0, 1.0)
    if after:
        drawn = drawn * (random.uniform(size=drawn.shape) >= after) / (1 - after)
    return drawn.mean(axis=1)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("seed", range(10))
def test_each_way_of_dropping_in_blocks_is_told_apart(rate, seed):
    random = np.random.RandomState(seed)
    assert dropout.judge_signs(signs(random, rate), LENGTH, rate) == dropout.AS_ASKED
    for other in (0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 1 - rate):
        seen = dropout.judge_signs(signs(random, other), LENGTH, rate)
        assert seen == dropout.OTHER_RATE_IN_BLOCKS
    for after in (0.1, rate, 0.5):
        seen = dropout.judge_signs(signs(random, rate, after=after), LENGTH, rate)
        assert seen == dropout.ELSEWHERE


def test_one_word_is_as_good_as_the_mean_of_many():
    random = np.random.RandomState(1)
    one = np.where(random.uniform(size=20_000) < 0.35, -1.0, 1.0)
    assert dropout.judge_signs(one, LENGTH, 0.35) == dropout.AS_ASKED


def test_a_model_that_sums_up_nothing_is_told_so():
    assert dropout.judge_sums(np.full((3, 2), np.nan), 0.35) == dropout.NOTHING
    assert dropout.judge_signs(np.full(3, np.inf), LENGTH, 0.35) == dropout.ELSEWHERE
