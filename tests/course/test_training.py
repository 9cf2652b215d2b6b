"""A training, and the weights of each of its epochs."""

import keras
import numpy as np

from course import training


def test_the_weights_of_every_epoch_are_kept():
    keras.utils.set_random_seed(1)
    x = np.random.RandomState(2).normal(size=(60, 3)).astype("float32")
    labels = (x[:, 0] > 0).astype(int)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, activation="sigmoid")])
    history, weights, seconds = training.fit(
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
