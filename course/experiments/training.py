"""Trainings, and what a model goes through in them: the weights of every epoch, the loss and the
learning rate of every step, the gradients."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf

LearningRate = float | keras.optimizers.schedules.LearningRateSchedule


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
    learning_rate: LearningRate,
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


class UsedRates(keras.callbacks.Callback):
    """Keeps the learning rate of every step of ``model.fit``, in ``rates``."""

    def on_train_begin(self, logs: Any = None) -> None:
        self.rates: list[float] = []

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self.rates.append(float(self.model.optimizer.learning_rate))


class Retrained:
    """A classifier that's trained again and again with Adam, each time from new initial values.

    Its training step is compiled once only. For small models that takes longer than a training.

    Args:
        build: makes the model, from ids to probabilities of classes. A function without arguments
            that gives the same layers each time; it may draw initial values.

    Attributes:
        model: as the last training left it; None before the first.
    """

    def __init__(self, build: Callable[[], keras.Model]) -> None:
        self._build = build
        self._starts: dict[int, list[np.ndarray]] = {}
        self._optimizer = keras.optimizers.Adam(0.0)
        self._step = tf.function(self._take_step)
        self.model: keras.Model | None = None

    def start(self, seed: int) -> keras.Model:
        """Give the model the initial values that a seed draws.

        Returns:
            The model, untrained.
        """
        if seed not in self._starts:
            keras.utils.set_random_seed(seed)
            built = self._build()
            self._starts[seed] = [np.array(value) for value in built.variables]
            if self.model is None:
                self.model = built
                self._optimizer.build(built.trainable_variables)
        for variable, value in zip(self.model.variables, self._starts[seed], strict=True):
            variable.assign(value)
        for variable in self._optimizer.variables:
            variable.assign(keras.ops.zeros_like(variable))
        return self.model

    def train(
        self,
        ids: np.ndarray,
        labels: np.ndarray,
        *,
        seed: int,
        learning_rate: LearningRate,
        steps: int,
        batch_size: int,
    ) -> np.ndarray:
        """Start with a seed's initial values, and take some steps.

        Args:
            ids: of the texts to learn from (texts, length).
            labels: their classes (texts,).
            seed: of the initial values, and of the order of the texts.
            learning_rate: a number, or a schedule of the number of the step, from 0.
            steps: how many batches.
            batch_size: texts per batch.

        Returns:
            The loss of each batch, before its step, in nats (steps,).
        """
        self.start(seed)
        random, waiting, losses = np.random.RandomState(seed), np.empty(0, int), []
        for step in range(steps):
            while len(waiting) < batch_size:
                waiting = np.concatenate([waiting, random.permutation(len(ids))])
            batch, waiting = np.split(waiting, [batch_size])
            rate = learning_rate
            if callable(rate):
                rate = float(rate(tf.constant(step)))
            self._optimizer.learning_rate = rate
            losses.append(self._step(tf.constant(ids[batch]), tf.constant(labels[batch])))
        return np.array(losses)

    def accuracy(self, ids: np.ndarray, labels: np.ndarray) -> float:
        """The share of texts for which the right class gets the highest probability."""
        probabilities = np.array(self.model(tf.constant(ids), training=False))
        return float((probabilities.argmax(axis=1) == labels).mean())

    def _take_step(self, ids: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = _loss(self.model(ids, training=True), labels)
        variables = self.model.trainable_variables
        self._optimizer.apply(tape.gradient(loss, variables), variables)
        return loss


def gradient_norms(model: keras.Model, ids: np.ndarray, labels: np.ndarray) -> list[float]:
    """How large the gradient of each encoder layer's last matrix is, on one batch.

    Args:
        model: of encoder layers, whose feed-forward networks end with a layer ``contract``.
        ids: of the batch's texts (texts, length).
        labels: their classes (texts,).

    Returns:
        Frobenius norms, from the first encoder layer to the last.
    """
    kernels = [part.contract.kernel.value for part in model.layers if hasattr(part, "contract")]
    with tf.GradientTape() as tape:
        loss = _loss(model(tf.constant(ids)), tf.constant(labels))
    return [float(tf.norm(gradient)) for gradient in tape.gradient(loss, kernels)]


def _loss(probabilities: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    each = keras.losses.sparse_categorical_crossentropy(labels, probabilities)
    return tf.reduce_mean(each)
