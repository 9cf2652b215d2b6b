"""What ``conv1d.best_epoch`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.conv1d.common import a_number, type_name
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state

# --- the best epoch ------------------------------------------------------------------------------

_NEARLY = 1e-6
"""Two losses this close become equal when they are rounded, and still differ in float32."""

_LARGE = 1e10
"""With this factor all losses are larger than what a search may start with, if not at infinity."""

# A dip, 22 epochs without a lower loss, the lowest loss, and another dip.
_UP_AND_DOWN = np.append(np.linspace(3, 6, 11), np.linspace(5, 2.5, 11))
_TWO_DIPS = np.array([4, 3, 1.5, *_UP_AND_DOWN, 0, 1, 2, 0.7, 2, 3])


_CHANGES = ("unchanged", "changed")


def _unchanged(observation: Observation) -> str:
    """The epoch is right, and the history is as it was."""
    return a_number("epoch")(observation) or equals("history", ours=_CHANGES)(observation)


class BestEpoch(Exercise):
    """The epoch with the lowest validation loss, counted from 1."""

    name = "conv1d.best_epoch"
    lesson = "02-conv1d-baseline"
    section = 7
    axes = {"epoch": (), "type": (), "history": ()}
    translatable_outputs = _CHANGES
    aspects = (
        Aspect(
            "the lowest validation loss decides",
            30,
            ("plain", "nothing but the validation loss"),
            a_number("epoch"),
        ),
        Aspect(
            "shallower dips before and after the lowest loss don't count",
            15,
            ("two dips",),
            a_number("epoch"),
        ),
        Aspect("if epochs tie, the first one counts", 15, ("equal",), a_number("epoch")),
        Aspect(
            "the lower loss counts, however small the difference",
            10,
            ("nearly equal",),
            a_number("epoch"),
        ),
        Aspect(
            "the first epoch can be the best", 10, ("first epoch", "one epoch"), a_number("epoch")
        ),
        Aspect("the last epoch can be the best", 10, ("last epoch",), a_number("epoch")),
        Aspect("the result is an int", 5, ("plain",), equals("type")),
        Aspect("the epoch is right, and the history is not changed", 5, ("plain",), _unchanged),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Histories as ``fit`` returns them."""
        random = random_state(seed)
        # Twelve apart: what looks at every second, third or fourth epoch earns the same on all.
        epochs, more, last = (13 + 12 * int(count) for count in random.permutation(20)[:3])
        # In the second half, so that an end is farther away than the start.
        best = epochs - 4
        rising = np.arange(epochs)
        valley = np.abs(rising - best)
        # Others, so that the number of epochs isn't the same everywhere.
        later = more - 4
        longer = np.abs(np.arange(more) - later)
        longer[later - 3] = 0
        # Always in the same order: NumPy's quick sort puts the later one of the two first.
        tie = np.abs(np.arange(17) - 8.25)
        tie[[8, 11]] = 0
        curves = {
            "plain": valley,
            "two dips": _TWO_DIPS,
            "equal": tie,
            "nearly equal": longer,
            "first epoch": rising,
            "one epoch": np.zeros(1),
            "last epoch": np.arange(last)[::-1],
        }
        # An early epoch that is worse than the first one: neither end has the highest loss.
        valley[int(random.randint(1, 5))] += epochs
        histories = {name: _history(random, curve) for name, curve in curves.items()}
        # Both round to the same number, however many digits are left.
        nearly = histories["nearly equal"]["val_loss"]
        nearly[later] = round(nearly[later] - 0.005, 2) + 0.00201
        nearly[later - 3] = nearly[later] + _NEARLY
        histories["plain"]["learning_rate"] = [0.001] * epochs
        # The training loss need not be at its lowest at the end.
        training = histories["two dips"]["loss"]
        training[-2:] = training[:-3:-1]
        large = histories["last epoch"]
        large["val_loss"] = [_LARGE * loss for loss in large["val_loss"]]
        # Down to 0 and up again.
        down = [0.9, 0.6, 0.0, 0.3, 0.4]
        alone = [round(loss * random.uniform(0.9, 1.0), 4) for loss in down]
        histories["nothing but the validation loss"] = {"val_loss": alone}
        return tuple(Case(name, {"history": history}) for name, history in histories.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a copy of the history."""
        given = case.inputs["history"]
        history = {name: list(values) for name, values in given.items()}
        epoch = obj(history)
        after = _CHANGES[history != given]
        return {"epoch": epoch, "type": type_name(epoch), "history": after}


def _history(random: np.random.RandomState, curve: np.ndarray) -> dict[str, list[float]]:
    """A history whose validation loss follows a curve.

    In training, the loss keeps falling and the accuracy rising. The validation accuracy is at its
    best two epochs after the validation loss, or before it.
    """
    epochs = np.arange(len(curve))
    loss = random.uniform(0.5, 0.6) * 0.99**epochs
    best_accuracy = int(curve.argmin()) + 2
    if best_accuracy >= len(curve):
        best_accuracy -= 4
    columns = {
        "accuracy": 1 - loss / 2,
        "loss": loss,
        "val_accuracy": random.uniform(0.86, 0.89) - 0.01 * np.abs(epochs - best_accuracy),
        "val_loss": random.uniform(0.28, 0.34) + random.uniform(0.02, 0.03) * curve,
    }
    return {name: [round(float(x), 6) for x in values] for name, values in columns.items()}


EXERCISE = BestEpoch()
