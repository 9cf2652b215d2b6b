"""A training of which every epoch's weights are kept."""

from __future__ import annotations

import time
from typing import NamedTuple

import keras
import numpy as np


class Training(NamedTuple):
    """What a training leaves.

    Args:
        history: by metric, one value per epoch.
        weights: of the model after each epoch, as ``model.set_weights`` takes them.
        seconds: by the wall clock.
    """

    history: dict[str, list[float]]
    weights: list[list[np.ndarray]]
    seconds: float


def fit(
    model: keras.Model,
    learned: tuple[np.ndarray, np.ndarray],
    held_out: tuple[np.ndarray, np.ndarray],
    *,
    epochs: int,
    batch_size: int,
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
) -> Training:
    """Train a classifier of two classes with Adam.

    Args:
        model: from inputs to the probability of the second class.
        learned: inputs and labels, 0 or 1, to learn from.
        held_out: the same to validate with after each epoch.
        epochs: how many.
        batch_size: of a step.
        learning_rate: of Adam.
    """
    model.compile(keras.optimizers.Adam(learning_rate), "binary_crossentropy", metrics=["accuracy"])
    weights: list[list[np.ndarray]] = []
    keep = keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: weights.append(model.get_weights())
    )
    started = time.perf_counter()
    history = model.fit(
        *learned,
        validation_data=held_out,
        batch_size=batch_size,
        epochs=epochs,
        callbacks=[keep],
        verbose=0,
    ).history
    return Training(history, weights, time.perf_counter() - started)
