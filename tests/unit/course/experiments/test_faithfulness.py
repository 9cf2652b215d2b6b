"""Measures agree with other sources, and searched weights keep what they must keep."""

import keras
import numpy as np
import pytest
import scipy.stats

from course.experiments import faithfulness

IDS = np.array([[5, 3, 7, 2, 0, 0], [4, 4, 9, 8, 6, 1]])
WORDS = (IDS != 0)[:, None, :]


def some_weights(seed=0):
    random = np.random.RandomState(seed)
    raw = np.exp(random.standard_normal((2, 6, 6))) * WORDS
    return (raw / raw.sum(axis=-1, keepdims=True)).astype("float32")


def test_tau_is_that_of_scipy_where_nothing_is_equal():
    random = np.random.RandomState(1)
    for _ in range(20):
        first, second = random.standard_normal((2, 9))
        expected = scipy.stats.kendalltau(first, second).statistic
        assert faithfulness.kendalls_tau(first, second) == pytest.approx(expected)


def test_pairs_that_are_equal_count_for_neither_order():
    assert faithfulness.kendalls_tau([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / 3)


def test_shuffled_rows_keep_their_weights_and_the_padding():
    own = some_weights()
    shuffled = faithfulness.shuffled_rows(own, IDS)
    assert (shuffled != own).any()
    np.testing.assert_array_equal(np.sort(shuffled, axis=-1), np.sort(own, axis=-1))
    assert not shuffled[0, :, 4:].any()
    np.testing.assert_array_equal(own, some_weights())


def test_total_variation_is_the_mean_over_words_of_half_the_absolute_differences():
    own, equal = some_weights(), (WORDS / WORDS.sum(axis=-1, keepdims=True)).astype("float32")
    by_row = np.abs(own - np.broadcast_to(equal, own.shape)).sum(axis=-1) / 2
    seen = np.array(faithfulness.total_variation(own, equal, IDS))
    np.testing.assert_allclose(seen, [by_row[0, :4].mean(), by_row[1].mean()], rtol=1e-5)
    apart = np.eye(6, dtype="float32")
    far = faithfulness.total_variation(apart[None], np.roll(apart, 1, axis=1)[None], IDS[1:])
    np.testing.assert_allclose(far, [1.0], rtol=1e-6)


def test_searched_weights_are_far_away_and_keep_the_prediction():
    values = np.random.RandomState(2).standard_normal((2, 6, 1)).astype("float32")

    def predict(weights):
        blends = keras.ops.matmul(weights, values)[:, :, 0]
        return keras.ops.sigmoid(keras.ops.mean(blends, axis=1))

    own = some_weights()
    found = faithfulness.searched_weights(predict, own, IDS, steps=200)
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-4)
    assert not found[0, :, 4:].any()
    assert np.abs(np.array(predict(found)) - np.array(predict(own))).max() <= 0.01
    shuffled = faithfulness.shuffled_rows(own, IDS)
    far, less = (np.array(faithfulness.total_variation(w, own, IDS)) for w in (found, shuffled))
    assert (far > 0.6).all()
    assert (far > less).all()
