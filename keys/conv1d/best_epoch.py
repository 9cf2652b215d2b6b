"""The key of ``conv1d.best_epoch``."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import Key
from course.exercises.conv1d.best_epoch import EXERCISE


def best_epoch(history: dict[str, list[float]]) -> dict[str, Any]:
    """The first epoch with the lowest validation loss, counted from 1.

    Args:
        history: one number an epoch for each quantity, ``val_loss`` among them.

    Returns:
        epoch; type: of the answer.

    Example:
        >>> best_epoch({"val_loss": [0.5, 0.3, 0.4, 0.3]})["epoch"].item()
        2.0
    """
    epoch = np.argmin(history["val_loss"]) + 1
    return {"epoch": np.array(float(epoch)), "type": "int"}


KEY = Key(EXERCISE, best_epoch)

_epoch = partial(KEY.mistake, alone=True)

_epoch(
    "counted_from_zero",
    "The epoch is one too small: list positions are counted from 0.",
    " + 1",
    "",
)
_epoch(
    "training_data",
    "You took the best epoch on the training data, which is the last one: what tells you about "
    "new texts?",
    '"val_loss"',
    '"loss"',
)
_epoch(
    "validation_accuracy",
    "You took the epoch with the best validation accuracy: the task asks for the loss.",
    'np.argmin(history["val_loss"])',
    'np.argmax(history["val_accuracy"])',
)
_epoch(
    "highest_loss",
    "You took the epoch with the highest validation loss: lower is better.",
    "np.argmin",
    "np.argmax",
)
_epoch(
    "last_of_equals",
    "You took the last of several equally good epochs: prefer the shorter training.",
    'np.argmin(history["val_loss"]) + 1',
    'len(history["val_loss"]) - np.argmin(history["val_loss"][::-1])',
)
_epoch(
    "first_rise",
    "You stopped searching when the loss first rose: it may fall again, to an even lower value.",
    'np.argmin(history["val_loss"])',
    'np.flatnonzero(np.diff(history["val_loss"]) > 0)[0]',
)
_epoch(
    "loss_itself",
    "You returned the lowest loss itself: in which epoch was it reached?",
    'np.argmin(history["val_loss"]) + 1',
    'min(history["val_loss"])',
    '"type": "int"',
    '"type": "float"',
)
_epoch(
    "counted_from_two",
    "The epoch is one too large: you added 1 to something that already counts from 1.",
    " + 1",
    " + 2",
)
