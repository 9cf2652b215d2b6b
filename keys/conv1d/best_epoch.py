"""The key of ``conv1d.best_epoch``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.judging.keys import SLIP, Key
from course.exercises.conv1d.best_epoch import EXERCISE
from keys.input_classes import Contain


def column(history: dict[str, list[float]], name: str) -> list[float]:
    """The numbers of one quantity.

    Raises:
        ValueError: when the history doesn't hold it.

    Example:
        >>> column({"val_loss": [0.5, 0.3]}, "val_loss")
        [0.5, 0.3]
    """
    if name not in history:
        raise ValueError(f"KeyError: {name!r}")
    return history[name]


def best_epoch(history: dict[str, list[float]]) -> dict[str, Any]:
    """The first epoch with the lowest validation loss, counted from 1.

    Args:
        history: one number an epoch for each quantity, ``val_loss`` among them.

    Returns:
        epoch; type: of the answer; history: whether it's as it was.

    Example:
        >>> best_epoch({"val_loss": [0.5, 0.3, 0.4, 0.3]})["epoch"].item()
        2.0
    """
    epoch = np.argmin(column(history, "val_loss")) + 1
    return {"epoch": np.array(float(epoch)), "type": "int", "history": "unchanged"}


KEY = Key(EXERCISE, best_epoch)


_LOSSES = 'column(history, "val_loss")'
_INDEX = f"np.argmin({_LOSSES})"
# A column that isn't there.
_MISSING = "KeyError"

KEY.mistake(
    "counted_from_zero",
    "The epoch is one too small: list positions are counted from 0.",
    " + 1",
    "",
    cost=SLIP,
)
KEY.mistake(
    "a_float",
    "Your epoch is a float: the task asks for an int.",
    '"type": "int"',
    '"type": "float"',
    cost=SLIP,
)
KEY.mistake(
    "losses_sorted",
    "You sorted the history's own losses, and it's looked at again: sorted makes a new list.",
    '"unchanged"',
    '"changed" if history["val_loss"] != sorted(history["val_loss"]) else "unchanged"',
    cost=SLIP,
)
KEY.mistake(
    "history_changed",
    "You changed the history that you were given, and it's looked at again: work on a copy.",
    '"unchanged"',
    '"changed"',
    cost=SLIP,
)
for _name, _hint, _best, _taken in (
    (
        "training_data",
        "You took the epoch with the lowest loss on the training data: what tells you about new "
        "texts?",
        "argmin",
        "loss",
    ),
    (
        "validation_accuracy",
        "You took the epoch with the best validation accuracy: the task asks for the loss.",
        "argmax",
        "val_accuracy",
    ),
):
    KEY.mistake(_name, _hint, _INDEX, f'np.{_best}(column(history, "{_taken}"))', failure=_MISSING)
    KEY.mistake(
        f"{_name}_if_there",
        _hint,
        _INDEX,
        f'(np.{_best}(history["{_taken}"]) if "{_taken}" in history else {_INDEX})',
    )
KEY.mistake(
    "lowest_accuracy",
    "You took the epoch with the lowest validation accuracy: the task asks for the loss.",
    _INDEX,
    'np.argmin(column(history, "val_accuracy"))',
    failure=_MISSING,
)
KEY.mistake(
    "highest_loss",
    "You took the epoch with the highest validation loss: lower is better.",
    "np.argmin",
    "np.argmax",
    cost=SLIP,
)
KEY.mistake(
    "last_of_equals",
    "You took the last of several equally good epochs: prefer the shorter training.",
    f"{_INDEX} + 1",
    'len(history["val_loss"]) - np.argmin(history["val_loss"][::-1])',
    cost=SLIP,
)
KEY.mistake(
    "nearly_equal",
    "You treated two losses as equal that differ very little: the lower one counts.",
    _LOSSES,
    f"np.round({_LOSSES}, 4)",
    cost=SLIP,
)
KEY.mistake(
    "first_rise",
    "You stopped searching when the loss rose: it may fall again, to an even lower value.",
    _INDEX,
    'np.flatnonzero(np.append(np.diff(history["val_loss"]), 1) > 0)[0]',
)
KEY.mistake(
    "last_dip",
    "You took the last epoch at which the loss was lower than just before and after it: an "
    "earlier one may be lower still.",
    _INDEX,
    "np.flatnonzero((np.diff([np.inf, *history['val_loss']]) < 0)"
    " & (np.diff([*history['val_loss'], np.inf]) > 0))[-1]",
)
KEY.mistake(
    "last_epoch",
    "You returned the number of the last epoch: which one had the lowest validation loss?",
    f"{_INDEX} + 1",
    'len(history["val_loss"])',
)
KEY.mistake(
    "start_too_low",
    "You find no epoch when all losses are large: what do you compare the first loss with?",
    f"{_INDEX} + 1",
    'np.argmin([1.0, *history["val_loss"]])',
    cost=SLIP,
)
KEY.mistake(
    "loss_itself",
    "You returned the lowest loss itself: in which epoch was it reached?",
    f"{_INDEX} + 1",
    'min(history["val_loss"])',
    '"type": "int"',
    '"type": "float"',
)
KEY.mistake(
    "counted_from_two",
    "The epoch is one too large: you added 1 to something that already counts from 1.",
    " + 1",
    " + 2",
    cost=SLIP,
)
KEY.mistake(
    "start_too_low_and_the_first_kept",
    "You stay with the first epoch when all losses are large: what do you compare the first loss "
    "with?",
    f"{_INDEX} + 1",
    'max(np.argmin([1.0, *history["val_loss"]]), 1)',
    cost=SLIP,
)
for _kind, _called in (("ndarray", "an array"), ("list", "a list")):
    KEY.mistake(
        f"all_the_best_in_{_called.replace(' ', '_')}",
        f"You returned {_called} of all epochs with the lowest loss: one number is asked for, the "
        "first of them.",
        "epoch = ",
        'epochs = np.flatnonzero(np.equal(history["val_loss"], min(history["val_loss"]))) + 1\n'
        "    epoch = ",
        "np.array(float(epoch))",
        "epochs.astype(float)",
        '"type": "int"',
        f'"type": "{_kind}"',
        cost=SLIP,
    )
KEY.mistake(
    "patience",
    "You stopped searching after some epochs without a lower loss: it may come later.",
    "epoch = ",
    'losses = history["val_loss"]\n'
    "    lower = [min(losses[i - 3 : i]) < min(losses[: i - 3]) for i in range(4, len(losses))]\n"
    '    history = {"val_loss": losses[: [*lower, False].index(False) + 4]}\n'
    "    epoch = ",
)
KEY.mistake(
    "another_column_needed",
    "You use lists other than val_loss: the history may contain only that one.",
    "epoch = ",
    'column(history, "loss")\n    epoch = ',
    cost=SLIP,
    failure=_MISSING,
)
KEY.mistake(
    "last_column",
    "You took the last list of the history, whichever that is: take it by its name.",
    _LOSSES,
    "list(history.values())[-1]",
)
KEY.mistake(
    "zero_for_none_yet",
    "You treat a loss of 0 as if there were none yet: 0 is a loss, too.",
    "epoch = ",
    'losses = history["val_loss"]\n'
    "    past = losses[:-1].index(0) + 1 if 0 in losses[:-1] else 0\n"
    '    history = {"val_loss": [np.inf] * past + losses[past:]}\n'
    "    epoch = ",
    cost=SLIP,
)
KEY.mistake(
    "repeated_losses_removed",
    "You removed repeated losses: after that, a loss's position isn't its epoch any more.",
    _LOSSES,
    f"list(dict.fromkeys({_LOSSES}))",
    cost=SLIP,
)
for _which, _all_but, _left in (
    ("first", '[np.inf, *history["val_loss"][1:]]', "[1:]) + 1"),
    ("last", '[*history["val_loss"][:-1], np.inf]', "[:-1])"),
):
    _hint = f"You never consider the {_which} epoch: it can be the best one."
    KEY.mistake(f"{_which}_epoch_left_out", _hint, _LOSSES, _all_but, cost=SLIP)
    KEY.mistake(
        f"{_which}_epoch_left_out_and_none_left",
        _hint,
        _INDEX,
        f"np.argmin({_LOSSES}{_left}",
        cost=SLIP,
    )


def _any(holds: Callable[[np.ndarray], Any]) -> Contain:
    """Whether the validation losses of some case hold something."""
    return lambda cases: any(holds(np.array(case.inputs["history"]["val_loss"])) for case in cases)


def _waits(losses: np.ndarray) -> int:
    """The most epochs in a row that brought no new lowest loss before the lowest of all came."""
    lowest = np.minimum.accumulate(losses)[: losses.argmin()]
    return max((int((lowest == loss).sum()) - 1 for loss in lowest), default=0)


def _dips_after(losses: np.ndarray) -> bool:
    after = losses[losses.argmin() + 1 :]
    return any(after[i - 1] > after[i] < after[i + 1] for i in range(1, len(after) - 1))


INPUT_CLASSES = {
    "one epoch": _any(lambda losses: len(losses) == 1),
    "the first epoch of several is the best": _any(
        lambda losses: len(losses) > 1 and losses.argmin() == 0
    ),
    "the last epoch of several is the best": _any(
        lambda losses: len(losses) > 1 and losses.argmin() == len(losses) - 1
    ),
    "an epoch in between is the best": _any(lambda losses: 0 < losses.argmin() < len(losses) - 1),
    "many epochs without a new lowest loss, then one": _any(lambda losses: _waits(losses) > 20),
    "a dip after the lowest loss": _any(_dips_after),
    "two epochs tie": _any(lambda losses: (losses == losses.min()).sum() == 2),
    "the training loss is lowest before the last epoch": lambda cases: any(
        np.argmin(losses) < len(losses) - 1
        for case in cases
        if (losses := case.inputs["history"].get("loss"))
    ),
    "an earlier loss is higher by very little": _any(
        lambda losses: 0 < np.min(losses[: losses.argmin()], initial=np.inf) - losses.min() < 3e-6
    ),
    "all losses are above 1,000,000,000": _any(lambda losses: losses.min() > 1e9),
    "all losses are below 1": _any(lambda losses: losses.max() < 1),
    "a loss of 0, and higher ones before and after it": _any(
        lambda losses: 0 < losses.argmin() < len(losses) - 1 and losses.min() == 0
    ),
    "a loss again, before the lowest one": _any(
        lambda losses: len(set(losses[: losses.argmin()])) < losses.argmin()
    ),
    "there is nothing but the validation loss": lambda cases: any(
        list(case.inputs["history"]) == ["val_loss"] for case in cases
    ),
    "the validation loss isn't the last column": lambda cases: any(
        list(case.inputs["history"])[-1] != "val_loss" for case in cases
    ),
    "the validation loss is the last column": lambda cases: any(
        list(case.inputs["history"])[1:][-1:] == ["val_loss"] for case in cases
    ),
}
