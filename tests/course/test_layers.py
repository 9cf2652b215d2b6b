"""The layers that the lessons import."""

import numpy as np
import pytest

from course.layers import WordDropout

IDS = np.array([[7, 8, 9, 0, 0]] * 2000, "int32")


def test_a_share_of_the_words_becomes_unknown_and_padding_stays():
    dropped = np.array(WordDropout(0.3, seed=4)(IDS, training=True))
    assert (dropped[:, 3:] == 0).all()
    kept = dropped[:, :3] == IDS[:, :3]
    assert (dropped[:, :3][~kept] == 1).all()
    # 6,000 draws: three standard deviations are 0.018.
    assert abs(1 - kept.mean() - 0.3) < 0.018


def test_another_call_drops_other_words():
    layer = WordDropout(0.3, seed=4)
    assert (np.array(layer(IDS, training=True)) != np.array(layer(IDS, training=True))).any()


@pytest.mark.parametrize(("rate", "left"), [(0.0, 7), (1.0, 1)])
def test_the_limits(rate, left):
    assert np.array(WordDropout(rate)(IDS, training=True))[0, 0] == left


def test_without_training_nothing_changes():
    assert (np.array(WordDropout(0.9)(IDS)) == IDS).all()


def test_a_rate_that_is_no_share_is_refused():
    with pytest.raises(ValueError, match="rate=30"):
        WordDropout(30)
