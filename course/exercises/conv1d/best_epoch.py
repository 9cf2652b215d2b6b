"""What ``conv1d.best_epoch`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.conv1d.common import a_number, type_name
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise

# --- the best epoch ------------------------------------------------------------------------------


class BestEpoch(Exercise):
    """The epoch with the lowest validation loss, counted from 1."""

    name = "conv1d.best_epoch"
    lesson = "02-conv1d-baseline"
    section = 6
    axes = {"epoch": (), "type": ()}
    aspects = (
        Aspect("the lowest validation loss decides", 40, ("plain",), a_number("epoch")),
        Aspect(
            "a shallower dip before the lowest is passed over", 20, ("two dips",), a_number("epoch")
        ),
        Aspect("if epochs tie, the first one counts", 20, ("equal",), a_number("epoch")),
        Aspect("the first epoch can be the best", 10, ("first epoch",), a_number("epoch")),
        Aspect("the result is an int", 10, ("plain",), equals("type")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Histories as ``fit`` returns them."""
        random = random_state(seed)
        epochs = int(random.randint(10, 15))
        # In the second half, so that the loss is at its highest at the start.
        best = int(random.randint((epochs + 1) // 2, epochs - 3))
        valley = np.abs(np.arange(epochs) - best)
        rising = np.arange(epochs)
        curves = {
            "plain": valley,
            "two dips": np.where(rising == 1, valley[2] - 0.5, valley),
            "equal": np.where(rising == best + 2, 0, valley),
            "first epoch": rising,
        }
        return tuple(
            Case(name, {"history": _history(random, curve)}) for name, curve in curves.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a copy of the history."""
        history = {name: list(values) for name, values in case.inputs["history"].items()}
        epoch = obj(history)
        return {"epoch": epoch, "type": type_name(epoch)}


def _history(random: np.random.RandomState, curve: np.ndarray) -> dict[str, list[float]]:
    """A history whose validation loss follows a curve.

    In training, the loss keeps falling and the accuracy rising. The validation accuracy is at its
    best two epochs after the validation loss.
    """
    epochs = np.arange(len(curve))
    loss = random.uniform(0.5, 0.6) * 0.8**epochs
    best_accuracy = int(curve.argmin()) + 2
    columns = {
        "accuracy": 1 - loss / 2,
        "loss": loss,
        "val_accuracy": random.uniform(0.86, 0.89) - 0.01 * np.abs(epochs - best_accuracy),
        "val_loss": random.uniform(0.28, 0.34) + random.uniform(0.02, 0.03) * curve,
    }
    return {name: [round(float(x), 4) for x in values] for name, values in columns.items()}


EXERCISE = BestEpoch()
