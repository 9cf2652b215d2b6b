"""Pre-training: the reference against TensorFlow, Keras, SciPy and numbers worked out by hand; the
real model's code without the network."""

import math
import sys
from types import SimpleNamespace

import keras
import nbformat
import numpy as np
import pytest
import tensorflow as tf
from scipy.stats import binomtest

from tests.conftest import REPOSITORY
from tests.support import taught
from tests.support.submitted import Lesson

LESSON = Lesson("07-pretraining")
SEEDS = range(5)
# Float32 rounds at 1e-7; the sums have some ten terms.
TOLERANCE = 1e-5


def cases(function, seed):
    return taught.cases(f"pretraining.{function}", seed)


def solved(function, inputs):
    return taught.outputs(taught.solution(f"pretraining.{function}"), inputs)


# --- mask_tokens ---------------------------------------------------------------------------------


def test_six_tokens_by_hand():
    # Padding and a blank with small chances; then a blank, another word, one that stays, and one
    # that isn't asked for.
    found = solved(
        "mask_tokens",
        {
            "ids": np.array([0, 2, 7, 8, 9, 10]),
            "chances": np.array([0.0, 0.0, 0.1, 0.1, 0.1, 0.2]),
            "kinds": np.array([0.5, 0.5, 0.5, 0.85, 0.95, 0.5]),
            "words": np.array([30, 31, 32, 33, 34, 35]),
            "mask_id": 2,
            "share": 0.15,
        },
    )
    assert found["inputs"].tolist() == [0, 2, 2, 33, 9, 10]
    assert found["targets"].tolist() == [0, 2, 7, 8, 9, 10]
    assert found["weights"].tolist() == [0, 0, 1, 1, 1, 0]


def test_of_many_words_the_shares_are_berts():
    random = np.random.RandomState(0)
    ids = random.randint(3, 5000, (200, 500))
    chances, kinds = random.uniform(size=(2, *ids.shape))
    # Words that occur nowhere else.
    given = {"ids": ids, "chances": chances, "kinds": kinds, "words": ids + 10_000}
    found = solved("mask_tokens", given | {"mask_id": 2, "share": 0.15})
    asked = found["weights"] > 0
    assert asked.mean() == pytest.approx(0.15, abs=0.005)
    inputs = found["inputs"][asked]
    assert (inputs == 2).mean() == pytest.approx(0.8, abs=0.01)
    assert (inputs >= 10_000).mean() == pytest.approx(0.1, abs=0.01)
    assert (inputs == ids[asked]).mean() == pytest.approx(0.1, abs=0.01)
    np.testing.assert_array_equal(found["inputs"][~asked], ids[~asked])


@pytest.mark.parametrize("seed", SEEDS)
def test_no_number_is_near_a_limit(seed):
    for case in cases("mask_tokens", seed).values():
        assert np.abs(case.inputs["chances"] - case.inputs["share"]).min() > 0.001
        for limit in (0.8, 0.9):
            assert np.abs(case.inputs["kinds"] - limit).min() > 0.005


# --- tied_logits and masked_language_loss --------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_logits_agree_with_keras_dense_and_reversible_layers(seed):
    for case in cases("tied_logits", seed).values():
        states, table, bias = case.inputs.values()
        (ours,) = solved("tied_logits", case.inputs).values()
        dense = keras.layers.Dense(len(table))
        dense.build((None, states.shape[-1]))
        dense.kernel.assign(table.T)
        dense.bias.assign(bias)
        flat = states.reshape(-1, states.shape[-1])
        theirs = np.array(dense(flat)).reshape(ours.shape)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=TOLERANCE)


def test_a_loss_by_hand():
    # The right words have the probabilities 1/2, 1/4 and 1/8; the last one isn't asked for.
    logits = np.log([[1 / 2, 1 / 4, 1 / 4], [1 / 4, 1 / 4, 1 / 2], [1 / 8, 3 / 8, 1 / 2]])
    inputs = {"logits": logits, "targets": np.array([0, 1, 0]), "weights": np.array([1.0, 1, 0])}
    expected = (math.log(2) + math.log(4)) / 2
    assert solved("masked_language_loss", inputs)["loss"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_agrees_with_tensorflow(seed):
    for case in cases("masked_language_loss", seed).values():
        logits, targets, weights = case.inputs.values()
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits)
        theirs = tf.math.divide_no_nan(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))
        ours = solved("masked_language_loss", case.inputs)["loss"]
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=TOLERANCE)


# --- mean_pooling --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_pooling_agrees_with_keras(seed):
    layer = keras.layers.GlobalAveragePooling1D()
    for case in cases("mean_pooling", seed).values():
        states, mask = case.inputs.values()
        (ours,) = solved("mean_pooling", case.inputs).values()
        *leading, time, features = states.shape
        some = mask.any(axis=-1)
        theirs = layer(states.reshape(-1, time, features), mask=tf.constant(mask.reshape(-1, time)))
        theirs = np.array(theirs).reshape(*leading, features)
        np.testing.assert_allclose(ours[some], theirs[some], rtol=1e-5, atol=TOLERANCE)
        assert np.isfinite(ours).all()


# --- paired_test ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("only_a", "only_b", "p_value"),
    # 2 · 1/32; 2 · (1 + 6)/64; the middle counts once; nothing to compare; and the other way round.
    [(5, 0, 1 / 16), (5, 1, 14 / 64), (3, 3, 1), (0, 0, 1), (1, 5, 14 / 64), (1, 0, 1)],
)
def test_p_values_by_hand(only_a, only_b, p_value):
    right_a = np.array([True] * only_a + [False] * only_b + [True, True, False])
    right_b = np.array([False] * only_a + [True] * only_b + [True, True, False])
    given = {"right_a": right_a, "right_b": right_b}
    assert solved("paired_test", given)["p_value"] == pytest.approx(p_value, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_p_values_agree_with_scipy(seed):
    for case in cases("paired_test", seed).values():
        a, b = case.inputs.values()
        only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
        theirs = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
        ours = solved("paired_test", case.inputs)["p_value"]
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=0)


# --- the lesson ----------------------------------------------------------------------------------


def cell(name):
    path = REPOSITORY / "source" / "07-pretraining" / "07-pretraining.ipynb"
    (found,) = [each for each in nbformat.read(path, as_version=4).cells if each.id == name]
    return found.source


def test_the_real_models_code_gives_it_what_it_takes(monkeypatch):
    """KerasHub isn't part of the course: two stand-ins take what its classes take."""
    seen = []

    class Preprocessor:
        @classmethod
        def from_preset(cls, preset, *, sequence_length):
            seen.append((preset, sequence_length))

            def prepare(texts):
                assert isinstance(texts, list) and all(isinstance(text, str) for text in texts)
                lengths = np.array([len(text.split()) for text in texts])
                mask = np.arange(sequence_length) < lengths[:, None]
                ids = tf.constant(mask.astype("int32"))
                return {"token_ids": ids, "segment_ids": 0 * ids, "padding_mask": ids}

            return prepare

    class Backbone:
        @classmethod
        def from_preset(cls, preset):
            seen.append(preset)
            return cls()

        def predict(self, inputs, verbose):
            assert inputs.keys() == {"token_ids", "segment_ids", "padding_mask"}
            places = np.arange(1.0, 1 + inputs["token_ids"].shape[1], dtype="float32")
            states = np.broadcast_to(places[:, None], (*inputs["token_ids"].shape, 3))
            return {"sequence_output": states, "pooled_output": states[:, 0]}

    stand_in = SimpleNamespace(BertTextClassifierPreprocessor=Preprocessor, BertBackbone=Backbone)
    monkeypatch.setitem(sys.modules, "keras_hub", SimpleNamespace(models=stand_in))
    names = LESSON.answered(LESSON.files("right")[0])
    exec(cell("next-code"), names)
    texts = ["one", "one two", "one two three"] * 50
    vectors = names["bert_vectors"](texts, length=8)
    # The mean of the places 1 to n is (n + 1) / 2, whatever padding holds.
    assert vectors.shape == (150, 3)
    np.testing.assert_allclose(vectors[:3, 0], [1, 1.5, 2])
    assert set(seen) == {"bert_tiny_en_uncased", ("bert_tiny_en_uncased", 8)}
