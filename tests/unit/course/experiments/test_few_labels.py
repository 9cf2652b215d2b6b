"""Every method learns from the same draws, and fine-tuning starts from the same weights."""

import keras
import numpy as np
import pytest
from keras import layers, ops
from sklearn.linear_model import LogisticRegression

from course.experiments import few_labels

LABELS = np.arange(40) % 4
WORDS = ("troops", "goal", "profit", "planet")
TEXTS = [f"the {WORDS[label]} of number{place}" for place, label in enumerate(LABELS)]


def pool(states, mask):
    kept = ops.cast(mask, states.dtype)[..., None]
    return ops.sum(states * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0)


class Encoder(keras.Model):
    """Word vectors alone."""

    d_model = 6

    def __init__(self):
        super().__init__()
        self.words = layers.Embedding(12, self.d_model)
        self.bias = self.add_weight((12,), initializer="ones", name="bias")

    def call(self, ids):
        return self.words(ids)


@pytest.fixture
def encoder():
    keras.utils.set_random_seed(2)
    made = Encoder()
    made(np.zeros((1, 3), "int32"))
    return made


@pytest.fixture
def rows():
    """Of three ids: one that tells the class, one of any, padding."""
    any_word = np.random.RandomState(0).randint(5, 12, 40)
    return np.stack([LABELS + 1, any_word, np.zeros(40, int)], axis=1).astype("int32")


def vectors_of(encoder, rows):
    return ops.convert_to_numpy(pool(encoder(rows), rows != 0))


def test_a_draw_has_as_many_of_each_class_and_can_be_repeated():
    chosen = few_labels.drawn(LABELS, 12, draw=3)
    assert np.bincount(LABELS[chosen]).tolist() == [3, 3, 3, 3]
    assert len(set(chosen)) == 12
    np.testing.assert_array_equal(chosen, few_labels.drawn(LABELS, 12, draw=3))
    assert set(chosen) != set(few_labels.drawn(LABELS, 12, draw=4))


def test_the_training_texts_alone_standardise():
    train, test = few_labels.standardised(np.array([[0.0], [4.0]]), np.array([[2.0], [6.0]]))
    np.testing.assert_allclose(train, [[-1], [1]], atol=1e-5)
    np.testing.assert_allclose(test, [[0], [2]], atol=1e-5)


def test_only_needed_texts_are_embedded():
    given = []

    def embed(texts):
        given.append(texts)
        return np.array([[len(text)] for text in texts], float)

    train, test = few_labels.embedded(embed, ["a", "bbbb", "cc"], ["dd"], np.array([0, 2]))
    assert given == [["a", "cc"], ["dd"]]
    np.testing.assert_allclose(train, [[-1], [0], [1]], atol=1e-5)
    np.testing.assert_allclose(test, [[1]], atol=1e-5)


class TestDraws:
    DRAWS = few_labels.Draws(LABELS, LABELS, (4, 8), 3)

    def test_names_every_text_with_a_label_once(self):
        places = self.DRAWS.places()
        assert (np.diff(places) > 0).all()
        assert set(few_labels.drawn(LABELS, 8, 2)) <= set(places)

    def test_vectors_that_tell_the_class_are_right(self):
        right = self.DRAWS.of_vectors(np.eye(4)[LABELS], np.eye(4)[LABELS], 10.0)
        assert right.shape == (2, 3, 40)
        assert right.all()

    def test_words_that_tell_the_class_are_right(self):
        assert self.DRAWS.of_words(TEXTS, TEXTS, 10.0).all()

    def test_order_is_seen_in_pairs_alone(self):
        texts = ["up down", "down up"] * 20
        draws = few_labels.Draws(np.arange(40) % 2, np.arange(40) % 2, (8,), 2)
        assert draws.of_words(texts, texts, 10.0, pairs=True).all()
        assert draws.of_words(texts, texts, 10.0).mean() == 0.5

    def test_tuned_encoders_are_right_and_come_back_as_they_were(self, encoder, rows):
        before = [ops.convert_to_numpy(v) for v in encoder.variables]
        tuner = few_labels.Tuner(encoder, pool, 4, rate=0.05)
        right = self.DRAWS.tuned(tuner, vectors_of(encoder, rows), rows, rows, 1.0, 30)
        assert right.shape == (2, 3, 40)
        assert right[-1].mean() > 0.85
        for variable, value in zip(encoder.variables, before, strict=True):
            np.testing.assert_array_equal(variable, value)


def test_the_layer_says_what_the_regression_of_standardised_vectors_says():
    vectors = 3 + 5 * np.random.RandomState(0).normal(size=(40, 3))
    chosen = np.arange(0, 40, 3)
    kernel, bias = few_labels.output_layer(vectors, chosen, LABELS, 0.5)
    scaled = (vectors - vectors.mean(axis=0)) / vectors.std(axis=0)
    regression = LogisticRegression(C=0.5, max_iter=500).fit(scaled[chosen], LABELS[chosen])
    np.testing.assert_allclose(
        vectors @ kernel + bias, regression.decision_function(scaled), atol=1e-3
    )


class TestTuner:
    def test_every_start_is_the_first_one(self, encoder, rows):
        """Adam counts its steps: a count that goes on would make the first steps longer."""
        tuner = few_labels.Tuner(encoder, pool, 4)
        start = few_labels.output_layer(vectors_of(encoder, rows), np.arange(40), LABELS, 1.0)
        found = []
        for _ in range(2):
            tuner.begin(*start)
            tuner.train(rows, LABELS, 2, seed=1)
            found.append(ops.convert_to_numpy(tuner.output.kernel))
        np.testing.assert_array_equal(*found)
        assert np.abs(found[0] - start[0]).max() > 1e-4

    def test_a_bias_of_another_layer_is_not_trained(self, encoder, rows):
        tuner = few_labels.Tuner(encoder, pool, 4, rate=0.05)
        tuner.train(rows, LABELS, 1, seed=0)
        np.testing.assert_array_equal(encoder.bias, np.ones(12))


def test_a_quarter_of_the_sample_has_its_topic_in_the_order():
    found = few_labels.order_articles()
    assert len(found.to_read) == 4000
    assert len(found.texts) == len(found.labels) == 1000
    assert len(found.test_texts) == len(found.test_labels) == 248
    assert set(found.texts) < set(found.to_read)


def test_lsa_gives_texts_of_the_same_words_the_same_direction():
    texts = [f"{a} {b} {a}" for a in ["xx", "yy", "zz"] for b in ["ww", "vv"]] * 20
    # As many directions as LSA asks for need as many words.
    texts += [f"word{n} word{n + 1}" for n in range(90)]
    train, test = few_labels.lsa(texts, ["xx ww xx"])
    assert train.shape[1] == test.shape[1] == few_labels.DIRECTIONS
    np.testing.assert_allclose(test[0], train[0], atol=1e-6)
