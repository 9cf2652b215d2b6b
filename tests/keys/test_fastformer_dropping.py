"""What a classifier drops while it trains is told from its sums alone, here drawn with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from course.exercises.fastformer import dropping

RATES = (0.35, 0.45)
TEXTS = 1000


def masks(random, rate, *shape):
    """What dropout multiplies by: 0, or what keeps the mean."""
    if not rate:
        return np.ones((TEXTS, *shape))
    return (random.uniform(size=(TEXTS, *shape)) >= rate) / (1 - rate)


def sums(random, words, mean, branch=0.0, *, alike=False, whole=False):
    """The sums of the carried feature, its copy and another one, 1 where nothing is dropped.

    Args:
        random: where the drops come from.
        words, mean, branch: rates of dropout after the embeddings, after the mean, and after the
            layer that makes the copy.
        alike: whether all words lose the same features.
        whole: whether a word loses all of its features.
    """
    signals = np.array([1.0, 2.0])[:, None] / 3
    kept = masks(random, words, 1 if alike else 2, 1 if whole else 2) * signals
    kept = np.broadcast_to(kept, (TEXTS, 2, 2))
    copy = kept[:, :, 0] * masks(random, branch, 2)
    features = (kept[:, :, 0], copy, kept[:, :, 1])
    pooled = [feature.sum(axis=1) * masks(random, mean) for feature in features]
    return dict(enumerate(pooled))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("seed", range(10))
def test_each_way_of_dropping_is_told_apart(rate, seed):
    random = np.random.RandomState(seed)
    told = {
        dropping.AS_ASKED: sums(random, rate, rate),
        dropping.NOTHING: sums(random, 0, 0),
        dropping.WORDS_ONLY: sums(random, rate, 0),
        dropping.MEAN_ONLY: sums(random, 0, rate),
        dropping.ALIKE: sums(random, rate, rate, alike=True),
        dropping.WHOLE_WORDS: sums(random, rate, rate, whole=True),
        dropping.REVERSED: sums(random, 1 - rate, 1 - rate),
        dropping.ELSEWHERE: sums(random, rate, rate, rate),
        dropping.OTHER_RATE: sums(random, 0.5, 0.5),
    }
    for expected, drawn in told.items():
        assert dropping.judge_sums(drawn, rate) == expected


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("first", [True, False])
def test_dropout_just_before_the_mean_is_in_the_wrong_place(rate, first):
    random = np.random.RandomState(5)
    signals = np.array([1.0, 2.0]) / 3
    shared = masks(random, rate if first else 0, 2) * signals
    other = masks(random, rate if first else 0, 2) * signals
    drawn = {
        number: (feature * masks(random, rate, 2)).sum(axis=1)
        for number, feature in enumerate((shared, shared, other))
    }
    assert dropping.judge_sums(drawn, rate) == dropping.ELSEWHERE


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("fixed", [0.1, 0.2, 0.25, 0.3, 0.4, 0.5])
def test_a_rate_of_ones_own_is_told_in_either_place(rate, fixed):
    random = np.random.RandomState(3)
    for words, mean in ((fixed, fixed), (fixed, rate), (rate, fixed)):
        assert dropping.judge_sums(sums(random, words, mean), rate) == dropping.OTHER_RATE


@pytest.mark.parametrize("rate", RATES)
def test_a_model_whose_layers_pass_one_feature_is_judged_by_that(rate):
    random = np.random.RandomState(4)
    for expected, words, mean in (
        (dropping.AS_ASKED, rate, rate),
        (dropping.WORDS_ONLY, rate, 0),
        (dropping.MEAN_ONLY, 0, rate),
    ):
        drawn = sums(random, words, mean)
        assert dropping.judge_sums({0: drawn[0]}, rate) == expected
        assert dropping.judge_sums({1: drawn[1]}, rate) == expected
