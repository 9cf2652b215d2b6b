"""What lesson 02 computes with a reader's functions is what Keras' layers compute."""

import keras
import numpy as np
import pytest
from keras import layers, ops

from course import convolutions

VOCABULARY, DEPTH = 40, 6


def conv1d(x, kernel, bias, strides=1):
    return ops.conv(x, kernel, strides) + bias


def pool(x, mask):
    largest = ops.max(ops.where(mask[..., None], x, -1e9), axis=1)
    return ops.where(ops.any(mask, axis=1)[:, None], largest, 0.0)


@pytest.fixture
def model():
    """As in the lesson, with pooling over the steps that a mask (B, steps) names."""
    keras.utils.set_random_seed(3)
    ids, mask = keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="bool")
    x = layers.Embedding(VOCABULARY, DEPTH)(ids)
    for _ in range(2):
        x = layers.Conv1D(128, 7, strides=3, activation="relu", bias_initializer="normal")(x)
    x = layers.Dense(128, activation="relu", bias_initializer="normal")(pool(x, mask))
    return keras.Model([ids, mask], layers.Dense(1, activation="sigmoid")(x))


@pytest.fixture
def ids():
    """Texts of 1, 9, 10 and 50 words, whose windows with words are 1, 1, 2 and 6."""
    found = np.random.RandomState(1).randint(2, VOCABULARY, (4, 70))
    found[np.arange(70) >= np.array([[1], [9], [10], [50]])] = 0
    return found


@pytest.mark.parametrize(("masked", "kept"), [(True, [1, 1, 2, 6]), (False, [6] * 4)])
def test_predictions_are_those_of_the_layers(model, ids, masked, kept):
    ours = convolutions.predicted(model, ids, conv1d, pool, masked=masked)
    mask = np.arange(6) < np.array(kept)[:, None]
    np.testing.assert_allclose(ours, np.array(model([ids, mask]))[:, 0], atol=1e-5)


def test_more_padding_changes_nothing_once_all_windows_with_words_have_room(model, ids):
    longer = np.pad(ids, [(0, 0), (0, 90)])
    masked, unmasked = (
        [convolutions.predicted(model, each, conv1d, pool, masked=masked) for each in (ids, longer)]
        for masked in (True, False)
    )
    np.testing.assert_allclose(*masked, atol=1e-6)
    # In 70 places there is no window of nothing but padding for a text of 50 words.
    assert abs(unmasked[0] - unmasked[1])[-1] > 1e-4


def test_padding_gives_the_same_numbers_again_and_again():
    found = convolutions.of_random_texts(20, conv1d)
    assert found.shape == (50, 26, 128)
    padding = found[:, 3:]
    np.testing.assert_allclose(padding, np.broadcast_to(padding[:1, :1], padding.shape), atol=1e-6)
    assert not np.allclose(found[0, 0], found[1, 0])
    np.testing.assert_array_equal(found, convolutions.of_random_texts(20, conv1d))
