"""The key of ``conv1d.masked_max_pooling``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.conv1d.masked_max_pooling import EXERCISE, LOWEST
from keys.input_classes import Contain, some


def masked_max_pooling(
    x: np.ndarray, mask: np.ndarray, symbolic: bool = False
) -> dict[str, np.ndarray]:
    """The largest number of each feature over the steps where the mask is True.

    Args:
        x: (B, T, d).
        mask: (B, T).
        symbolic: whether a model is built of the function; it changes no number.

    Returns:
        output: (B, d); 0 in the rows without any True.

    Reference: Kim, "Convolutional Neural Networks for Sentence Classification" (2014), section 2,
    for the pooling of one sentence without padding.

    Example:
        >>> x = np.array([[[-2.0], [-1.0], [5.0]], [[1.0], [2.0], [3.0]]])
        >>> mask = np.array([[True, True, False], [False, False, False]])
        >>> masked_max_pooling(x, mask)["output"].tolist()
        [[-1.0], [0.0]]
    """
    largest = np.where(mask[..., None], x, -np.inf).max(axis=1)
    pooled = np.where(mask.any(axis=1, keepdims=True), largest, 0.0)
    return {"output": pooled}


KEY = Key(EXERCISE, masked_max_pooling)


_KEPT = "np.where(mask[..., None], x, -np.inf)"
_ROWS = "np.where(mask.any(axis=1, keepdims=True), largest, 0.0)"
_LOW_NUMBERS = "-1e3", "-1e4", "-1e6", "-1e9", "-1e30"

KEY.mistake(
    "mask_ignored",
    "The mask isn't used: padding can still be the largest.",
    _KEPT,
    "x",
    _ROWS,
    "largest",
    cost=PART,
)
KEY.mistake(
    "mask_for_empty_texts_only",
    "The mask is used only where it's True nowhere: in all other texts, padding can still be the "
    "largest.",
    _KEPT,
    "x",
    cost=PART,
)
KEY.mistake(
    "mask_inverted",
    "The mask is read the other way round: True is a step that counts.",
    _KEPT,
    "np.where(mask[..., None], -np.inf, x)",
    _ROWS,
    "np.where(mask.all(axis=1, keepdims=True), 0.0, largest)",
    cost=SLIP,
)
KEY.mistake(
    "zeros_where_the_first_step_is_masked",
    "A text whose first step is masked got zeros, as if all its steps were: the mask may be True "
    "anywhere.",
    _ROWS,
    "np.where(mask[:, :1], largest, 0.0)",
    cost=SLIP,
)
for _number in ("-np.inf", *_LOW_NUMBERS):
    KEY.mistake(
        f"mask_inverted_with_{_number.replace('-np.', 'minus_').replace('-', 'minus_')}",
        "The mask is read the other way round: True is a step that counts.",
        _KEPT,
        f"np.where(mask[..., None], {_number}, x)",
        cost=SLIP,
    )
KEY.mistake(
    "mask_multiplied",
    "The mask turned masked numbers into 0, and 0 wins if all others are negative.",
    _KEPT,
    "(x * mask[..., None])",
    paired=True,
)
KEY.mistake(
    "thousand_taken_from_masked_numbers",
    "1,000 is subtracted from masked numbers, and large ones can still win: set them to one number "
    "below all others instead.",
    _KEPT,
    "(x - np.float32(1000) * ~mask[..., None])",
    cost=SLIP,
)
KEY.mistake(
    "minus_infinity_left",
    "A text without any step gives minus infinity: what does the task ask for there?",
    _ROWS,
    "largest",
    cost=SLIP,
)
KEY.mistake(
    "minus_infinity_times_zero",
    "A text without any step gives minus infinity times 0, and that's no number: choose the zeros "
    "with where instead of multiplying.",
    _ROWS,
    "np.where(mask.any(axis=1, keepdims=True), largest, np.nan)",
    cost=SLIP,
)
KEY.mistake(
    "nothing_gives_the_mask_up",
    "A text without any step was pooled as if it had no mask: the task asks for zeros.",
    _ROWS,
    "np.where(mask.any(axis=1, keepdims=True), largest, x.max(axis=1))",
    cost=SLIP,
)
KEY.mistake(
    "row_s_lowest_left",
    "Masked numbers became as low as the lowest of their text, so a text without any step gives "
    "its own lowest numbers: the task asks for zeros.",
    _ROWS,
    "np.where(mask.any(axis=1, keepdims=True), largest, x.min(axis=1))",
    cost=SLIP,
)
KEY.mistake(
    "mask_given_up_for_all",
    "If one text has no step at all, your code gives zeros for the whole batch: treat each text on "
    "its own.",
    "mask.any(axis=1, keepdims=True)",
    "mask.any(axis=1).all()",
    cost=SLIP,
)
KEY.mistake(
    "zeros_for_nothing_at_all_only",
    "Your code tests whether the whole batch is padding: each text may be, beside others.",
    "mask.any(axis=1, keepdims=True)",
    "mask.any()",
    cost=SLIP,
)
for _number in _LOW_NUMBERS:
    _low = f"np.where(mask[..., None], x, {_number})"
    KEY.mistake(
        f"{_number.replace('-', 'minus_')}_left",
        "A text without any step gives the very low number that stands for padding: what does the "
        "task ask for there?",
        _KEPT,
        _low,
        _ROWS,
        "largest",
        cost=SLIP,
    )
    KEY.mistake(
        f"{_number.replace('-', 'minus_')}_but_for_nothing_at_all",
        "Your code tests whether the whole batch is padding: each text may be, beside others.",
        _KEPT,
        _low,
        "mask.any(axis=1, keepdims=True)",
        "mask.any()",
        cost=SLIP,
    )
for _name, _number in (("minus_one", "-1.0"), ("minus_hundred", "-100.0")):
    KEY.mistake(
        f"{_name}_for_padding",
        "The number that stands for padding isn't low enough: real ones may be lower, down to "
        "-1,000.",
        _KEPT,
        f"np.where(mask[..., None], x, {_number})",
        cost=SLIP,
    )
    KEY.mistake(
        f"{_name}_for_padding_left",
        "The number that stands for padding isn't low enough: real ones may be lower, down to "
        "-1,000. And a text without any step should give zeros.",
        _KEPT,
        f"np.where(mask[..., None], x, {_number})",
        _ROWS,
        "largest",
    )
KEY.mistake(
    "never_below_zero",
    "Results below 0 became 0: the largest of several negative numbers is negative, too.",
    _ROWS,
    "np.maximum(np.where(mask.any(axis=1, keepdims=True), largest, 0.0), 0.0)",
    cost=SLIP,
)
KEY.mistake(
    "padding_lowered_too_little",
    "You subtracted a number from what is masked, and it can still win: the others may be lower by "
    "hundreds.",
    _KEPT,
    "(x - 100.0 * ~mask[..., None])",
    cost=SLIP,
)
KEY.mistake(
    "mask_added",
    "The mask was added as ones and zeros: masked numbers stay as large as they were.",
    _KEPT,
    "(x + mask[..., None])",
)
KEY.mistake(
    "mean",
    "You took the mean of the steps: this pooling keeps the largest number.",
    f"{_KEPT}.max(axis=1)",
    "(x * mask[..., None]).sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)",
)
KEY.mistake(
    "mean_with_padding",
    "You took the mean of all steps: this pooling keeps the largest number of those where the mask "
    "is True.",
    f"{_KEPT}.max(axis=1)",
    "x.mean(axis=1)",
    _ROWS,
    "largest",
)
KEY.mistake(
    "mean_of_masked_by_all",
    "You took the mean over all steps, masked ones as 0: this pooling keeps the largest number.",
    f"{_KEPT}.max(axis=1)",
    "(x * mask[..., None]).mean(axis=1)",
)
KEY.mistake(
    "sum",
    "The steps were added up: this pooling keeps the largest number.",
    f"{_KEPT}.max(axis=1)",
    "(x * mask[..., None]).sum(axis=1)",
)
KEY.mistake(
    "smallest",
    "That's the smallest number of each feature: this pooling keeps the largest.",
    f"{_KEPT}.max(axis=1)",
    "np.where(mask[..., None], x, np.inf).min(axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "largest_absolute",
    "You compared absolute values: -5 is smaller than 1.",
    f"{_KEPT}.max(axis=1)",
    "np.where(mask[..., None], np.abs(x), -np.inf).max(axis=1)",
)
KEY.mistake(
    "places_of_the_largest",
    "Those are the places of the largest numbers: return the numbers themselves.",
    f"{_KEPT}.max(axis=1)",
    f"{_KEPT}.argmax(axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "over_features",
    "The largest number was searched among the features: each feature has its own, over time.",
    f"{_KEPT}.max(axis=1)",
    f"{_KEPT}.max(axis=2)",
    _ROWS,
    "np.where(mask, largest, 0.0)",
    cost=SLIP,
)
KEY.mistake(
    "over_the_batch",
    "The largest number was searched among the texts: each text has its own, over time.",
    f"{_KEPT}.max(axis=1)",
    f"{_KEPT}.max(axis=0)",
    _ROWS,
    "np.where(mask.any(axis=0)[:, None], largest, 0.0)",
    cost=SLIP,
)
KEY.mistake(
    "one_number_per_text",
    "Each text gives one number: keep the largest of each feature.",
    _ROWS,
    "np.where(mask.any(axis=1), largest.max(axis=1), 0.0)",
)
KEY.mistake(
    "axis_kept",
    "The axis of the steps is still there, with size 1.",
    '"output": pooled',
    '"output": pooled[:, None]',
    cost=SLIP,
)
KEY.mistake(
    "squeezed",
    "You dropped every axis of size 1, including a batch of one.",
    '"output": pooled',
    '"output": pooled.squeeze()',
    cost=SLIP,
)
KEY.mistake(
    "not_pooled",
    "The masked numbers are set, but nothing is pooled: the axis of the steps must disappear.",
    '"output": pooled',
    '"output": np.where(mask[..., None], x, 0.0)',
    cost=PART,
)
KEY.mistake(
    "steps_counted",
    "You counted the steps that may be pooled, and pooled as many from the start: the mask may be "
    "True anywhere.",
    "mask[..., None], x",
    "(np.arange(mask.shape[1]) < mask.sum(axis=1, keepdims=True))[..., None], x",
    cost=SLIP,
)
KEY.mistake(
    "up_to_the_last_step",
    "You pooled everything up to the last step that counts: the mask may be False before it.",
    "mask[..., None], x",
    "(np.cumsum(mask[:, ::-1], axis=1)[:, ::-1] > 0)[..., None], x",
    cost=SLIP,
)
KEY.mistake(
    "last_step",
    "You took the last step that counts: this pooling keeps the largest number of all of them.",
    f"{_KEPT}.max(axis=1)",
    "x[np.arange(len(x)), mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)]",
)
KEY.mistake(
    "first_mask_for_all",
    "The mask of the first text was used for all texts: each has its own.",
    "mask[..., None], x",
    "mask[:1, :, None], x",
    cost=SLIP,
)
KEY.mistake(
    "outside_a_model_only",
    "While Keras builds a model, there are no numbers yet: use functions of keras.ops, which don't "
    "need them.",
    "largest = ",
    "if symbolic:\n        raise ValueError\n    largest = ",
    cost=SLIP,
    failure="KerasTensor|symbolic|numpy",
)


def _some(holds: Callable[[np.ndarray, np.ndarray], Any]) -> Contain:
    """Whether something holds of a case's numbers and mask."""
    return some(lambda given: holds(given["x"], given["mask"]))


def _largest(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return np.where(mask[..., None], x, -np.inf).max(axis=1)


INPUT_CLASSES = {
    "no padding": _some(lambda x, mask: mask.all() and mask.shape[1] > 1),
    "masked numbers larger than all others": _some(
        lambda x, mask: not mask.all() and (_largest(x, ~mask) > _largest(x, mask)).all()
    ),
    "a largest number from 0 to 1, wherever a mask is True and False": lambda cases: (
        len(cases) > 1
        and all(
            ((largest > 0) & (largest < 1)).any() or largest.min() < 0
            for largest in (
                _largest(case.inputs["x"], case.inputs["mask"])[case.inputs["mask"].any(axis=1)]
                for case in cases
                if not case.inputs["mask"].all() and case.inputs["mask"].any()
            )
        )
    ),
    "masked numbers more than 1,000 above all others": _some(
        lambda x, mask: (_largest(x, ~mask) > _largest(x, mask) + 1000)[1:].any()
    ),
    "numbers below 0 only, near the lowest, with padding": _some(
        lambda x, mask: (_largest(x, mask) < 0.8 * LOWEST)[~mask.all(axis=1)].any()
    ),
    "numbers below 0 only, near 0, with padding": _some(
        lambda x, mask: ((_largest(x, mask) < 0) & (_largest(x, mask) > 0.01 * LOWEST))[
            ~mask.all(axis=1)
        ].any()
    ),
    "numbers just above the lowest only, with padding": _some(
        lambda x, mask: (_largest(x, mask) < LOWEST + 1)[mask.any(axis=1)].any()
    ),
    "padding after the steps": _some(lambda x, mask: (mask[:, :-1] & ~mask[:, 1:]).any()),
    "padding before the steps": _some(lambda x, mask: (mask[:, 1:] & ~mask[:, :-1]).any()),
    "padding between the steps": _some(
        lambda x, mask: (np.diff(mask.astype(int), axis=1) > 0).sum(axis=1).max() > 1
    ),
    "a single step": _some(lambda x, mask: x.shape[1] == 1),
    "a text of padding beside others": _some(
        lambda x, mask: mask.any() and not mask.any(axis=1).all()
    ),
    "a text of padding beside others, in a model": lambda cases: any(
        case.inputs["symbolic"] and len({*case.inputs["mask"].any(axis=1)}) > 1 for case in cases
    ),
    "padding alone": _some(lambda x, mask: not mask.any()),
    "a batch of one": _some(lambda x, mask: len(x) == 1),
    "different numbers of steps": _some(lambda x, mask: len({*mask.sum(axis=1)}) == len(mask)),
}
