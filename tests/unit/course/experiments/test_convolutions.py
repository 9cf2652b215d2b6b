"""What lesson 02 computes with a reader's functions is what Keras' layers compute."""

import keras
import numpy as np
import pytest
from keras import layers, ops

from course.experiments import convolutions

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


def test_padding_wins_where_its_number_is_above_all_numbers_of_windows_with_words():
    numbers = convolutions.of_random_texts(20, conv1d)
    wins = [
        max(kernel[3:]) > max(kernel[:3])
        for text in numbers
        for kernel in text.T  # 26 steps, of which the first three see one of 20 words
    ]
    share = convolutions.share_won_by_padding(20, conv1d)
    assert share == pytest.approx(np.mean(wins))
    assert 0.1 < share < 0.3


def test_the_kernel_shown_is_the_one_in_which_padding_leads_by_most():
    found = convolutions.where_padding_wins(20, conv1d)
    assert found.shape == (6,)
    numbers = convolutions.of_random_texts(20, conv1d)[0]
    lead = numbers[3:].max(axis=0) - numbers[:3].max(axis=0)
    assert found[3:].max() - found[:3].max() == pytest.approx(lead.max())
    assert lead.max() > 0


def test_sixty_words_by_layers_and_by_functions_and_without_a_mask_once_padding_has_windows():
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(1000, 32)(ids)
    for _ in range(2):
        x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Dense(128, activation="relu")(pool(x, ids[:, :-24:9] != 0))
    model = keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))
    found = {
        length: convolutions.of_sixty_words(model, length, conv1d, pool)
        for length in (60, 79, 250, 500)
    }
    for by_layers, masked, _ in found.values():
        assert by_layers == pytest.approx(masked, abs=1e-5)
    assert found[79] == pytest.approx((found[250][0],) * 3, abs=1e-5)
    assert found[250] == pytest.approx(found[500], abs=1e-5)
    assert abs(found[250][2] - found[250][1]) > 1e-3
    assert abs(found[60][1] - found[79][1]) > 1e-3


def test_shuffled_words_stay_in_their_text_and_before_the_padding(ids):
    found = convolutions.shuffled(ids)
    np.testing.assert_array_equal(found > 0, ids > 0)
    np.testing.assert_array_equal(np.sort(found, axis=1), np.sort(ids, axis=1))
    assert (found[3] != ids[3]).any()
    np.testing.assert_array_equal(found, convolutions.shuffled(ids))
    assert (found != convolutions.shuffled(ids, seed=1)).any()
