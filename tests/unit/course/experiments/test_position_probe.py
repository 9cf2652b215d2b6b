"""The answer to a text of colours depends on positions alone, and readers start alike."""

import keras
import numpy as np
import pytest

from course.experiments import position_probe


class Mean(keras.layers.Layer):
    """Attention without positions: every word gets the mean."""

    def __init__(self, hidden_size, num_heads, max_length):
        super().__init__()
        self.given = hidden_size, num_heads, max_length

    def call(self, inputs):
        return 0 * inputs + keras.ops.mean(inputs, axis=1, keepdims=True)


class WithTable(Mean):
    def __init__(self, hidden_size, num_heads, max_length):
        super().__init__(hidden_size, num_heads, max_length)
        self.distance_embedding = keras.layers.Embedding(2 * max_length - 1, hidden_size)

    def call(self, inputs):
        return super().call(inputs) + self.distance_embedding(keras.ops.zeros((), "int32"))


def places(row):
    """Where the question word and the colours are, and which colours."""
    (asked,) = np.flatnonzero((row == position_probe.AFTER) | (row == position_probe.NEAREST))
    found = np.flatnonzero(row < len(position_probe.COLOURS))
    return asked, {int(row[place]): int(place) for place in found}


def test_the_answer_is_the_colour_just_after_or_the_nearer_one():
    ids, answers, asked = position_probe.texts(400, 12, seed=3)
    assert (asked == position_probe.AFTER).sum() == 200
    for row, answer, question in zip(ids, answers, asked, strict=True):
        place, found = places(row)
        assert row[place] == question
        assert len(found) == 2
        (other,) = set(found) - {int(answer)}
        if question == position_probe.AFTER:
            assert (found[answer], found[other]) == (place + 1, place - 1)
        else:
            assert 2 * abs(found[answer] - place) <= abs(found[other] - place)


def test_the_same_seed_gives_the_same_texts():
    one, two, other = (position_probe.texts(20, 9, seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


def test_sinusoidal_places_are_those_of_the_paper_and_are_not_trained():
    layer = position_probe.PlaceVectors("sinusoidal", 50, "zeros")
    added = np.array(layer(np.zeros((1, 7, 8), "float32")))[0]
    assert layer.trainable_weights == []
    np.testing.assert_allclose(added[5, 0], np.sin(5), rtol=1e-5)
    np.testing.assert_allclose(added[5, 3], np.cos(5 / 10_000 ** (2 / 8)), rtol=1e-5)
    # As large as the learned ones when they start.
    assert np.sqrt(np.mean(added**2)) == pytest.approx(0.7, abs=0.01)


def test_learned_places_are_added_and_another_kind_is_refused():
    layer = position_probe.PlaceVectors("learned", 50, keras.initializers.Constant(2.0))
    np.testing.assert_array_equal(layer(np.ones((2, 3, 4), "float32")), np.full((2, 3, 4), 3.0))
    assert len(layer.trainable_weights) == 1
    with pytest.raises(ValueError, match="Received: kind='other'"):
        position_probe.PlaceVectors("other", 50, "zeros")


def test_a_reader_answers_at_the_question_word():
    reader = position_probe.build_reader(Mean, 9)
    ids, _, _ = position_probe.texts(6, 9, seed=0)
    given = np.array(reader(ids))
    np.testing.assert_allclose(given.sum(axis=1), 1, rtol=1e-5)
    # Without positions, the order of the words doesn't matter.
    np.testing.assert_allclose(reader(ids[:, ::-1]), given, rtol=1e-4)
    # The first two texts ask different questions: with the words exchanged, they answer otherwise.
    other = np.where(ids == position_probe.AFTER, position_probe.NEAREST, ids)
    assert np.abs(np.array(reader(other)) - given)[0].max() > 1e-3


def test_every_learned_table_starts_alike_and_weights_fit_a_longer_text():
    short, long = (position_probe.build_reader(WithTable, n, places="learned") for n in (9, 20))
    tables = [w for w in short.weights if w.path.endswith(("embeddings", "table"))]
    assert len(tables) == 3
    for table in tables:
        assert np.std(table) == pytest.approx(0.7, abs=0.07)
    # One initializer gives the same numbers each time: words and places would begin alike.
    begun = [np.ravel(table)[0] for table in tables]
    assert len({float(number) for number in begun}) == 3
    long.set_weights(short.get_weights())
    ids = np.full((1, 20), 20)
    ids[0, 3] = position_probe.AFTER
    assert np.array(long(ids)).shape == (1, 4)
