"""The key of ``fastformer.additive_pooling``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.fastformer.additive_pooling import EXERCISE, output_name
from keys.attention.common import (
    masked,
    softmax,
    unshifted_softmax,  # noqa: F401 - a mistake uses it
)
from keys.fastformer.pooling_mistakes import AXES, MASKS, SOFTMAXES


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
)
KEY.mistake(
    "softmax_over_axis_one",
    "The softmax runs over the second axis, which is only time if there are no heads: count "
    "from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "no_softmax",
    "You used the scores themselves as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
    cost=PART,
)
KEY.mistake(
    "sigmoid",
    "A sigmoid weights each token on its own: the tokens' weights must sum to 1.",
    "softmax(logits)",
    "1 / (1 + np.exp(-logits))",
)
KEY.mistake(
    "not_normalised",
    "The exponentials weren't divided by their sum.",
    "softmax(logits)",
    "np.exp(logits.astype(np.float32))",
    cost=PART,
    alone=True,
)
KEY.mistake(
    "mask_ignored",
    "The mask isn't used: padding still gets weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
    cost=PART,
)
KEY.mistake(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
    cost=SLIP,
)
KEY.mistake(
    "mask_multiplied",
    "The mask sets the scores of padding to 0, but the softmax still gives a score of 0 some "
    "weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
KEY.mistake(
    "mask_added",
    "The mask was added to the scores as ones and zeros: padding keeps most of its weight.",
    "np.where(mask, logits, -1e9)",
    "logits + mask",
    alone=True,
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
)
KEY.mistake(
    "minus_infinity",
    "The scores of padding become minus infinity, so a sample that is all padding has nothing "
    "left to divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
    cost=SLIP,
)
KEY.mistake(
    "averaged",
    "The weighted tokens were averaged: the weights already sum to 1, so just add the tokens up.",
    "weighted.sum(axis=-2)",
    "weighted.mean(axis=-2)",
    cost=SLIP,
)
KEY.mistake(
    "sum_over_axis_one",
    "The sum runs over the second axis, which is only time if there are no heads: count from the "
    "end.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "not_summed",
    "The tokens are weighted but not added up: the time axis must disappear.",
    "weighted.sum(axis=-2)",
    "weighted",
    cost=PART,
    alone=True,
)
KEY.mistake(
    "axis_kept",
    "The time axis is still there, with size 1.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-2, keepdims=True)",
    cost=SLIP,
)
KEY.mistake(
    "sum_over_features",
    "The sum runs over the features: it should run over the tokens.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-1)",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "scaled_again",
    "The scores were scaled: the softmax takes them as they are.",
    "masked(scores, mask)",
    "masked(scores / np.sqrt(x.shape[-1]), mask)",
    cost=SLIP,
)

# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_pooling_alone = partial(KEY.mistake, alone=True)

_pooling_alone(
    "weights_all_one",
    "All weights are 1: after the scores got an extra axis, the softmax runs over an axis of "
    "size 1.",
    "softmax(logits)",
    "np.ones_like(logits)",
    cost=PART,
)
_pooling_alone(
    "unstable_softmax",
    "The exponentials overflow for large scores: use a stable softmax.",
    # A sample that is all padding has some numbers: they are free, but have to be finite.
    "np.exp(logits - logits.max(axis=axis, keepdims=True))",
    "np.exp(np.maximum(logits, -80).astype(np.float32))",
    cost=SLIP,
)
_pooling_alone(
    "plain_mean",
    "The scores weren't used: this is the plain mean of the tokens.",
    "masked(scores, mask)",
    "masked(0 * scores, mask)",
    cost=PART,
)
_pooling_alone(
    "signs_exchanged",
    "The signs of the scores are reversed: a higher score should mean more weight.",
    "masked(scores, mask)",
    "masked(-scores, mask)",
    cost=SLIP,
)
_pooling_alone(
    "best_token",
    "Only the token with the highest score is left: a softmax gives the other tokens some "
    "weight, too.",
    "softmax(logits)",
    "np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]",
)
_pooling_alone(
    "shares_of_scores",
    "The scores were simply divided by their sum: weights can't be negative.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
    "softmax(logits)",
    "logits / logits.sum(axis=-1, keepdims=True)",
)
_pooling_alone(
    "axis_one",
    "The softmax and the sum run over the second axis, which is only time if there are no "
    "heads: count from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
    cost=SLIP,
)
_pooling_alone(
    "mask_of_minus_hundred",
    "Padding gets a score that isn't far enough below the others: real tokens' scores may be "
    "below -100, too.",
    "-1e9",
    "-100.0",
    cost=SLIP,
)
_pooling_alone(
    "mask_not_tested_for_none",
    "There may be no mask at all: what happens in your code if mask is None?",
    "masked(scores, mask)",
    "masked(scores, ~(~mask))",
    cost=SLIP,
    failure=r"None",
)
_pooling_alone(
    "three_axes_only",
    "The pooling works for (batch, time, features) only: with heads there's one more axis, so "
    "count from the end.",
    "weighted.sum(axis=-2)",
    'np.einsum("bt,btd->bd", alpha, x)',
    cost=SLIP,
)
_pooling_alone(
    "weights_without_an_axis",
    "The weights need an axis for the features, so that they can be multiplied with the vectors.",
    "alpha[..., None]",
    "alpha",
    cost=SLIP,
    failure="shapes: .3,7. vs. .3,7,5.|" r"Incompatible shapes: .([\d,]+). vs. .\1,\d+\]",
)
for _name, (_cost, _hint, *_changes) in {**SOFTMAXES, **MASKS, **AXES}.items():
    _pooling_alone(_name, _hint, *_changes, cost=_cost)
