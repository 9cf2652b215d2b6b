"""The key of ``fastformer.additive_pooling``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import Key
from course.exercises.fastformer.additive_pooling import EXERCISE
from keys.attention.common import masked, softmax


def additive_pooling(
    x: np.ndarray, scores: np.ndarray, mask: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Σ_t α_t x_t with α = softmax(scores) over the tokens.

    Args:
        x: tokens (..., T, d).
        scores: (..., T).
        mask: boolean, broadcasts to the scores; True may get weight.

    Returns:
        output: (..., d).

    Example:
        >>> x = np.array([[1.0, 0.0], [5.0, 4.0]])
        >>> additive_pooling(x, np.log([1.0, 3.0]))["output"].round(6).tolist()
        [4.0, 3.0]
    """
    logits = masked(scores, mask)
    alpha = softmax(logits)
    weighted = alpha[..., None] * x
    return {"output": weighted.sum(axis=-2)}


KEY = Key(EXERCISE, additive_pooling)

KEY.mistake(
    "softmax_over_batch",
    "The softmax runs over the batch: the weights of one text's tokens must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=0)",
)
KEY.mistake(
    "softmax_over_axis_one",
    "The softmax runs over the second axis, which is time only while there are no heads: count "
    "from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
)
KEY.mistake(
    "no_softmax",
    "The scores themselves served as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
)
KEY.mistake(
    "sigmoid",
    "A sigmoid weighs each token by itself: weights that are shared sum to 1.",
    "softmax(logits)",
    "1 / (1 + np.exp(-logits))",
)
KEY.mistake(
    "not_normalised",
    "The exponentials were not divided by their sum.",
    "softmax(logits)",
    "np.exp(logits.astype(np.float32))",
)
KEY.mistake(
    "mask_ignored",
    "The mask is not used: padding still receives weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
KEY.mistake(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
)
KEY.mistake(
    "mask_multiplied",
    "The mask makes the scores of padding 0, and the softmax gives a score of 0 a weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
KEY.mistake(
    "mask_added",
    "The mask was added to the scores as ones and zeros: padding keeps most of its weight.",
    "np.where(mask, logits, -1e9)",
    "logits + mask",
)
KEY.mistake(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the remaining weights no longer sum to 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "alpha[..., None]",
    "(alpha if mask is None else alpha * mask)[..., None]",
)
KEY.mistake(
    "minus_infinity",
    "Scores of padding become minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
)
KEY.mistake(
    "averaged",
    "The weighted tokens were averaged: the weights share out 1 already, so add them up.",
    "weighted.sum(axis=-2)",
    "weighted.mean(axis=-2)",
)
KEY.mistake(
    "sum_over_axis_one",
    "The weights are right but the sum runs over the second axis, which is time only while there "
    "are no heads: count from the end.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
)
KEY.mistake(
    "not_summed",
    "The tokens are weighted but not added up: time must disappear.",
    "weighted.sum(axis=-2)",
    "weighted",
)
KEY.mistake(
    "axis_kept",
    "Time is still there, as an axis of a single entry.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-2, keepdims=True)",
)
KEY.mistake(
    "sum_over_features",
    "The sum runs over the features: it is the tokens that are added up.",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=-1)",
)
KEY.mistake(
    "scaled_again",
    "The scores were scaled once more: whoever gives them to this function has done that.",
    "masked(scores, mask)",
    "masked(scores / np.sqrt(x.shape[-1]), mask)",
)

# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_pooling_alone = partial(KEY.mistake, alone=True)

_pooling_alone(
    "weights_all_one",
    "All weights are 1: the softmax runs over an axis of a single entry, after the scores got one "
    "more axis.",
    "softmax(logits)",
    "np.ones_like(logits)",
)
_pooling_alone(
    "unstable_softmax",
    "The exponentials overflow for large scores: use a stable softmax.",
    # A sample that is all padding has some numbers: they are free, but have to be finite.
    "np.exp(logits - logits.max(axis=axis, keepdims=True))",
    "np.exp(np.maximum(logits, -80).astype(np.float32))",
)
_pooling_alone(
    "plain_mean",
    "The scores were not used: this is the plain mean of the tokens.",
    "masked(scores, mask)",
    "masked(0 * scores, mask)",
)
_pooling_alone(
    "signs_exchanged",
    "The signs of the scores are exchanged: a higher score means more weight.",
    "masked(scores, mask)",
    "masked(-scores, mask)",
)
_pooling_alone(
    "best_token",
    "Only the token with the highest score is left: a softmax gives the others some weight.",
    "softmax(logits)",
    "np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]",
)
_pooling_alone(
    "shares_of_scores",
    "The scores were divided by their plain sum: weights may not be negative.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
    "softmax(logits)",
    "logits / logits.sum(axis=-1, keepdims=True)",
)
_pooling_alone(
    "axis_one",
    "Softmax and sum run over the second axis, which is time only while there are no heads: count "
    "from the end.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    "weighted.sum(axis=-2)",
    "weighted.sum(axis=1)",
)
