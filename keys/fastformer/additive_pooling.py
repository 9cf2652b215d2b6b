"""The key of ``fastformer.additive_pooling``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.fastformer.additive_pooling import EXERCISE, HIDDEN, OFFSET, output_name
from keys.attention.common import (
    masked,
    softmax,
    unshifted_softmax,
)
from keys.input_classes import among_others, some, some_mask
from selfcheck.exercise import Case


def additive_pooling(
    x: np.ndarray, scores: np.ndarray, mask: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Σ_t α_t x_t with α = softmax(scores) over the tokens.

    Args:
        x: tokens (..., T, d).
        scores: (..., T).
        mask: boolean, broadcasts to the scores; True may get weight.

    Returns:
        output: (..., d); of a text alone it's called summary, of five axes summaries.

    Example:
        >>> x = np.array([[1.0, 0.0], [5.0, 4.0]])
        >>> additive_pooling(x, np.log([1.0, 3.0]))["summary"].round(6).tolist()
        [4.0, 3.0]
    """
    logits = masked(scores, mask)
    alpha = softmax(logits)
    weighted = alpha[..., None] * x
    return {output_name(x.ndim): weighted.sum(axis=-2)}


KEY = Key(EXERCISE, additive_pooling)

KEY.mistake(
    "softmax_over_batch",
    "The softmax runs over the batch: the weights of one text's tokens must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=0)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "tanh_of_the_scores",
    "The scores went through a tanh first: here they're given, and go into the softmax as they "
    "are.",
    "masked(scores, mask)",
    "masked(np.tanh(scores), mask)",
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_axis_one",
    "The softmax runs over the second axis, which is only time if there are no heads: count "
    "from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "no_softmax",
    "You used the scores themselves as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "sigmoid",
    "A sigmoid weights each token on its own: the tokens' weights must sum to 1.",
    "softmax(logits)",
    "1 / (1 + np.exp(-logits))",
    paired=True,
)
KEY.mistake(
    "not_normalised",
    "The exponentials weren't divided by their sum.",
    "softmax(logits)",
    "np.exp(logits.astype(np.float32))",
    cost=PART,
)
KEY.mistake(
    "mask_ignored",
    "The mask isn't used: padding still gets weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "mask_multiplied",
    "The mask sets the scores of padding to 0, but the softmax still gives a score of 0 some "
    "weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
    paired=True,
)
KEY.mistake(
    "mask_added",
    "The mask was added to the scores as ones and zeros: padding keeps most of its weight.",
    "np.where(mask, logits, -1e9)",
    "logits + mask",
)
KEY.mistake(
    "mask_after_softmax",
    "The scores of padding have a share in the softmax, and only its weights or vectors become 0, "
    "so the weights of the others no longer sum to 1: mask the scores.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "alpha[..., None]",
    "(alpha if mask is None else alpha * mask)[..., None]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "minus_infinity",
    "The scores of padding become minus infinity, so a sample that is all padding has nothing "
    "left to divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "averaged",
    "The weighted tokens were averaged: the weights already sum to 1, so just add the tokens up.",
    "weighted.sum(axis=-2)",
    "weighted.mean(axis=-2)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "sum_over_axis_one",
    "The sum runs over the second axis, which is only time if there are no heads: count from the "
    "end.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "not_summed",
    "The tokens are weighted but not added up: the time axis must disappear.",
    "weighted.sum(axis=-2)",
    "weighted",
    cost=PART,
)
KEY.mistake(
    "axis_kept",
    "The time axis is still there, with size 1.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-2, keepdims=True)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "sum_over_features",
    "The sum runs over the features: it should run over the tokens.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-1)",
    cost=SLIP,
)
KEY.mistake(
    "scaled_again",
    "The scores were scaled: the softmax takes them as they are.",
    "masked(scores, mask)",
    "masked(scores / np.sqrt(x.shape[-1]), mask)",
    cost=SLIP,
    paired=True,
)


KEY.mistake(
    "weights_all_one",
    "All weights are 1: after the scores got an extra axis, the softmax runs over an axis of "
    "size 1.",
    "softmax(logits)",
    "np.ones_like(logits)",
    cost=PART,
)
KEY.mistake(
    "unstable_softmax",
    "The exponentials overflow for large scores: use a stable softmax.",
    # A sample that is all padding has some numbers: they are free, but have to be finite.
    "np.exp(logits - logits.max(axis=axis, keepdims=True))",
    "np.exp(np.maximum(logits, -80).astype(np.float32))",
    cost=SLIP,
)
KEY.mistake(
    "plain_mean",
    "The scores weren't used: this is the plain mean of the tokens.",
    "masked(scores, mask)",
    "masked(0 * scores, mask)",
    cost=PART,
)
KEY.mistake(
    "signs_exchanged",
    "The signs of the scores are reversed: a higher score should mean more weight.",
    "masked(scores, mask)",
    "masked(-scores, mask)",
    cost=SLIP,
)
KEY.mistake(
    "best_token",
    "Only the token with the highest score is left: a softmax gives the other tokens some "
    "weight, too.",
    "softmax(logits)",
    "np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]",
)
KEY.mistake(
    "shares_of_scores",
    "The scores were simply divided by their sum: weights can't be negative.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
    "softmax(logits)",
    "logits / logits.sum(axis=-1, keepdims=True)",
)
KEY.mistake(
    "axis_one",
    "The softmax and the sum run over the second axis, which is only time if there are no "
    "heads: count from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "mask_of_minus_hundred",
    "Padding gets a score that isn't far enough below the others: real tokens' scores may be "
    "below -100, too.",
    "-1e9",
    "-100.0",
    cost=SLIP,
)
KEY.mistake(
    "mask_not_tested_for_none",
    "There may be no mask at all: what happens in your code if mask is None?",
    "masked(scores, mask)",
    "masked(scores, ~(~mask))",
    cost=SLIP,
    failure=r"None",
)
KEY.mistake(
    "three_axes_only",
    "The pooling works for (batch, time, features) only: with heads there's one more axis, so "
    "count from the end.",
    "weighted.sum(axis=-2)",
    'np.einsum("bt,btd->bd", alpha, x)',
    cost=SLIP,
)
KEY.mistake(
    "weights_without_an_axis",
    "The weights need an axis for the features, so that they can be multiplied with the vectors.",
    "alpha[..., None]",
    "alpha",
    cost=SLIP,
    failure="shapes: .3,7. vs. .3,7,5.|" r"Incompatible shapes: .([\d,]+). vs. .\1,\d+\]",
)
_OVERFLOW = (
    "The exponentials overflow for large scores and are all 0 for low ones: use a stable softmax, "
    "with the mask before it."
)
_OTHERS_VANISH = (
    "The mask comes after the exponentials, and the other weights are rescaled: if a padded "
    "token's score is far above theirs, they're already 0. Mask the scores."
)
_OWN_AXES = (
    "You added an axis to the mask, which already fits the scores or is broadcast to them: take it "
    "as it comes."
)

SOFTMAXES = {
    "softmax_twice": (
        SLIP,
        "The softmax is applied twice, which makes the weights almost equal.",
        "softmax(logits)",
        "softmax(softmax(logits))",
    ),
    "softmax_with_a_mask_only": (
        PART,
        "Without a mask, the scores themselves become the weights: the softmax belongs after the "
        "condition, not inside it.",
        "softmax(logits)",
        "logits if mask is None else softmax(logits)",
    ),
    "softmax_over_the_axis_before": (
        SLIP,
        "The softmax runs over the last axis but one, like the sum: the scores have no axis of "
        "features, so their last axis is time.",
        "softmax(logits)",
        "softmax(logits, axis=-2)",
    ),
    "normalised_over_everything": (
        SLIP,
        "The exponentials were divided by the sum over all texts: the weights of each text must "
        "sum to 1.",
        "softmax(logits)",
        "unshifted_softmax(logits, axis=None)",
    ),
    "sums_without_an_axis": (
        SLIP,
        "The exponentials and their sums don't fit: keep the summed axis, with size 1.",
        "softmax(logits)",
        "unshifted_softmax(logits) * np.ones_like(logits[..., 0])",
    ),
    "largest_of_the_batch_subtracted": (
        SLIP,
        "You subtracted the largest score of the whole batch: the exponentials of a text whose "
        "scores are much lower are then all 0. Subtract each text's own largest score.",
        "softmax(logits)",
        "unshifted_softmax(logits - logits.max())",
    ),
    "unstable_softmax_by_hand": (
        SLIP,
        _OVERFLOW,
        "np.where(mask, logits, -1e9)",
        "logits",
        "softmax(logits)",
        "(lambda e: e / (e.sum(axis=-1, keepdims=True) + np.float32(1e-30)))(np.exp("
        "logits.astype(np.float32)) * (True if mask is None else mask))",
    ),
    "unstable_softmax_of_nothing": (
        SLIP,
        _OVERFLOW + " A text of padding alone has nothing left to divide by, either.",
        "softmax(logits)",
        "unshifted_softmax(logits)",
    ),
}

MASKS = {
    "barely_lowered": (
        SLIP,
        "The number that you added to the scores of padding isn't low enough: a high one still "
        "ends up above the others. Choose a number that outweighs all scores.",
        "np.where(mask, logits, -1e9)",
        "logits - 1e4 * ~mask",
    ),
    "renormalised_after_softmax": (
        SLIP,
        _OTHERS_VANISH,
        "np.where(mask, logits, -1e9)",
        "logits",
        "alpha[..., None]",
        "(alpha if mask is None else alpha * mask / ((alpha * mask).sum(axis=-1, keepdims=True) + "
        "1e-9))[..., None]",
    ),
    "renormalised_to_nan": (
        SLIP,
        _OTHERS_VANISH,
        "np.where(mask, logits, -1e9)",
        "logits",
        "alpha[..., None]",
        "(alpha if mask is None else alpha * mask / (alpha * mask).sum(axis=-1, keepdims=True))"
        "[..., None]",
    ),
    "axis_for_the_heads_added": (
        SLIP,
        _OWN_AXES,
        "np.where(mask, logits, -1e9)",
        "np.where(mask[:, None] if logits.ndim == 3 else mask, logits, -1e9)",
    ),
    "mask_with_an_axis_too_many": (
        SLIP,
        _OWN_AXES,
        "np.where(mask, logits, -1e9)",
        "np.where(mask[:, None], logits, -1e9)",
    ),
    "fewer_axes_taken_for_padding": (
        SLIP,
        "You treated a mask with fewer axes than the scores as a padding mask for each text, and "
        "added axes after its first: a mask (T) belongs to the last axis, so let the operation "
        "broadcast it.",
        "np.where(mask, logits, -1e9)",
        "np.where(mask if mask.ndim == logits.ndim else mask[:, None], logits, -1e9)",
    ),
    "mask_dropped_for_all": (
        SLIP,
        "If one text is padding alone, your code ignores the mask for the whole batch: the other "
        "texts then pool their padding. Treat each text on its own.",
        "np.where(mask, logits, -1e9)",
        "np.where(mask | ~mask.any(axis=-1).all(), logits, -1e9)",
    ),
    "tokens_counted": (
        SLIP,
        "You counted the tokens that may be pooled, and pooled as many from the start: padding may "
        "also come before or between the tokens. Use the mask itself.",
        "np.where(mask, logits, -1e9)",
        "np.where(np.arange(mask.shape[-1]) < mask.sum(axis=-1, keepdims=True), logits, -1e9)",
    ),
}

_ANY_AXES = (
    "Your code works for a batch, with or without heads: a single text (T, d) or more axes in "
    "front should work, too. "
)

AXES = {
    "axis_in_the_second_place": (
        SLIP,
        "The weights got their new axis in the second place: it belongs at the end, where the "
        "vectors have their features.",
        "alpha[..., None]",
        "alpha[:, None]",
    ),
    "matrix_product_of_the_batch": (
        SLIP,
        "The matrix product took the whole batch of weights for one matrix: it pooled each text "
        "by every text's weights. Give the weights one more axis, or multiply and sum.",
        "alpha[..., None] * x",
        "(alpha @ x)[..., None, :]",
    ),
    "summed_over_everything": (
        SLIP,
        "The sum runs over all axes, so a single number is left: say which axis to sum over.",
        "weighted.sum(axis=-2)",
        "weighted.sum()",
    ),
    "leading_axes_flattened": (
        SLIP,
        _ANY_AXES + "You flattened the axes in front, and didn't restore them all.",
        "weighted.sum(axis=-2)",
        "weighted.sum(axis=-2).reshape(*(x.shape[:-2] if x.ndim in (3, 4) else [-1]), x.shape[-1])",
    ),
    "two_numbers_of_axes_only": (
        SLIP,
        _ANY_AXES + "Count axes from the end.",
        "weighted.sum(axis=-2)",
        'np.einsum(("bt,btd->bd", "bht,bhtd->bhd")[x.ndim - 3], alpha, x)',
    ),
    "squeezed": (
        SLIP,
        "You dropped every axis of size 1, including a batch of one: say which axis to drop.",
        "weighted.sum(axis=-2)",
        "weighted.sum(axis=-2).squeeze()",
    ),
    "batch_axis_added": (
        SLIP,
        "A single text (T, d) comes back with a batch axis in front: its summary is one vector.",
        "weighted.sum(axis=-2)",
        "weighted.sum(axis=-2).reshape(-1, *x.shape[1:-2], x.shape[-1])",
    ),
}

for _name, (_cost, _hint, *_changes) in {**SOFTMAXES, **MASKS, **AXES}.items():
    KEY.mistake(_name, _hint, *_changes, cost=_cost)


def _offset(cases: Sequence[Case], sign: int) -> bool:
    """Whether a text with padding has scores that are all far from 0."""
    return any(
        (sign * case.inputs["scores"][row] > 150).all() and not case.inputs["mask"][row].all()
        for case in cases
        if case.inputs["mask"] is not None and case.inputs["scores"].ndim == 2
        for row in range(len(case.inputs["scores"]))
    )


INPUT_CLASSES = {
    "a batch": among_others(lambda given: given["x"].ndim == 3),
    "a batch with heads": some(lambda given: given["x"].ndim == 4),
    "a batch of one": some(lambda given: given["x"].ndim == 3 and given["x"].shape[0] == 1),
    "a text without a batch": some(lambda given: given["x"].ndim == 2),
    "five axes": some(lambda given: given["x"].ndim == 5),
    "axes of different sizes": some(
        lambda given: len(set(given["x"].shape)) == given["x"].ndim == 4
    ),
    "no mask": among_others(lambda given: given["mask"] is None),
    "a mask": some(lambda given: given["mask"] is not None),
    "a hidden token whose score is far above all others": some(
        lambda given: (
            given["mask"] is not None
            and bool(np.where(given["mask"], -np.inf, given["scores"]).max() > 0.8 * HIDDEN)
        )
    ),
    "different numbers of tokens": some_mask(lambda mask: len(set(mask.sum(-1).flat)) > 1),
    "padding after the tokens": some_mask(lambda mask: (mask[..., :-1] & ~mask[..., 1:]).any()),
    "padding before the tokens": some_mask(lambda mask: (mask[..., 1:] & ~mask[..., :-1]).any()),
    "padding between tokens": some_mask(
        lambda mask: (np.diff(mask.astype(int), axis=-1) > 0).sum(axis=-1).max() > 1
    ),
    "a mask of fewer heads that broadcasts": some(
        lambda given: given["mask"] is not None and given["mask"].size < given["scores"].size
    ),
    "a mask of fewer axes": some(
        lambda given: given["mask"] is not None and given["mask"].ndim < given["scores"].ndim
    ),
    "nothing but padding": some_mask(lambda mask: not mask.any(axis=-1).all()),
    "identical tokens": some(lambda given: (given["x"] == given["x"][..., :1, :]).all()),
    "scores of both signs": among_others(
        lambda given: given["scores"].min() < 0 < given["scores"].max()
    ),
    "a score above 2.5 in every text": lambda cases: (
        len(cases) > 1
        and all(
            (case.inputs["scores"].max(axis=-1) > 2.5).all()
            for case in cases
            if case.inputs["scores"].max() < OFFSET / 2
        )
    ),
    "scores far above 0, with padding": lambda cases: _offset(cases, 1),
    "scores far below 0, with padding": lambda cases: _offset(cases, -1),
}
