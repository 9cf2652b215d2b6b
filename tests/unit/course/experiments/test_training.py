"""Trainings epoch by epoch, and step by step."""

import keras
import numpy as np
import pytest

from course.experiments.training import Retrained, UsedRates, fit, gradient_norms
from course.layers import PreNormEncoderLayer

RANDOM = np.random.RandomState(3)
IDS = RANDOM.randint(1, 9, (48, 5))
LABELS = (IDS[:, 0] > 4).astype("int64")


def build():
    inputs = keras.Input((5,), dtype="int32")
    x = keras.layers.Embedding(9, 8)(inputs)
    for _ in range(2):
        x = PreNormEncoderLayer(8, 6, 2, 0.0)(x)
    x = keras.layers.GlobalAveragePooling1D()(x)
    return keras.Model(inputs, keras.layers.Dense(2, activation="softmax")(x))


@pytest.fixture(scope="module")
def retrained():
    return Retrained(build)


def train(retrained, *, seed=1, learning_rate=0.01, steps=6, batch_size=16):
    sizes = {"steps": steps, "batch_size": batch_size}
    return retrained.train(IDS, LABELS, seed=seed, learning_rate=learning_rate, **sizes)


def test_the_weights_of_every_epoch_are_kept():
    keras.utils.set_random_seed(1)
    x = np.random.RandomState(2).normal(size=(60, 3)).astype("float32")
    labels = (x[:, 0] > 0).astype(int)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, activation="sigmoid")])
    history, weights, seconds = fit(
        model,
        (x[:40], labels[:40]),
        (x[40:], labels[40:]),
        epochs=3,
        batch_size=8,
        learning_rate=0.1,
    )
    assert set(history) == {"loss", "accuracy", "val_loss", "val_accuracy"}
    assert seconds > 0
    for epoch in range(3):
        model.set_weights(weights[epoch])
        loss, accuracy = model.evaluate(x[40:], labels[40:], verbose=0)
        np.testing.assert_allclose(loss, history["val_loss"][epoch], rtol=1e-5)
        np.testing.assert_allclose(accuracy, history["val_accuracy"][epoch])
    assert len(weights) == 3


def test_a_training_is_keras_own_on_the_same_batches(retrained):
    losses = train(retrained)
    keras.utils.set_random_seed(1)
    model = build()
    model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
    random = np.random.RandomState(1)
    batches = np.concatenate([random.permutation(48), random.permutation(48)]).reshape(6, 16)
    expected = []
    for batch in batches:
        expected.append(model.evaluate(IDS[batch], LABELS[batch], verbose=0))
        model.train_on_batch(IDS[batch], LABELS[batch])
    np.testing.assert_allclose(losses, expected, atol=1e-5)
    for received, weight in zip(retrained.model.weights, model.weights, strict=True):
        np.testing.assert_allclose(received, weight, atol=1e-4)


def test_nothing_of_a_training_is_left_in_the_next_one(retrained):
    first = train(retrained)
    assert train(retrained, seed=2, learning_rate=0.1)[0] != first[0]
    np.testing.assert_allclose(train(retrained), first, atol=1e-6)


def test_a_batch_may_go_on_with_the_next_pass(retrained):
    losses = train(retrained, steps=4, batch_size=20)
    assert losses.shape == (4,)
    assert np.isfinite(losses).all()


def test_a_schedule_is_asked_for_every_step_from_0(retrained):
    asked = []

    def schedule(step):
        assert step.dtype.is_integer
        asked.append(int(step))
        return 0.01 if int(step) < 2 else 0.0

    losses = train(retrained, learning_rate=schedule, steps=9, batch_size=48)
    assert asked == list(range(9))
    # Every batch holds all texts, and nothing changes after two steps.
    np.testing.assert_allclose(losses[2:], losses[2], atol=1e-6)
    assert losses[0] > losses[2] + 1e-4


def test_accuracy_is_the_share_of_right_classes(retrained):
    model = retrained.start(1)
    received = np.array(model(IDS)).argmax(axis=1)
    assert retrained.accuracy(IDS, received) == 1
    assert retrained.accuracy(IDS, 1 - received) == 0
    wrong = np.where(np.arange(48) < 12, 1 - received, received)
    assert retrained.accuracy(IDS, wrong) == 0.75


def test_gradients_are_what_a_small_change_makes_of_the_loss(retrained):
    model = retrained.start(1)
    norms = gradient_norms(model, IDS, LABELS)
    assert len(norms) == 2

    def loss():
        each = np.array(model(IDS))[np.arange(48), LABELS]
        return -np.log(each).mean()

    for norm, layer in zip(norms, (model.layers[2], model.layers[3]), strict=True):
        kernel = layer.contract.kernel
        before, slopes = np.array(kernel), np.zeros(kernel.shape)
        for place in np.ndindex(*kernel.shape):
            change = np.zeros(kernel.shape, "float32")
            change[place] = 0.05
            kernel.assign(before + change)
            after = loss()
            kernel.assign(before - change)
            slopes[place] = (after - loss()) / 0.1
        kernel.assign(before)
        assert norm == pytest.approx(np.linalg.norm(slopes), rel=0.02)


def test_the_rates_used_are_those_of_the_schedule():
    model, rates = build(), UsedRates()
    schedule = keras.optimizers.schedules.ExponentialDecay(0.1, 1, 0.5)
    model.compile(keras.optimizers.Adam(schedule), "sparse_categorical_crossentropy")
    model.fit(IDS, LABELS, batch_size=16, epochs=2, callbacks=[rates], verbose=0)
    np.testing.assert_allclose(rates.rates, 0.1 * 0.5 ** np.arange(6), rtol=1e-5)
