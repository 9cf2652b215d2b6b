"""The key of ``attention.average_attention``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import Key
from course.exercises.attention.average_attention import EXERCISE
from keys.attention.common import (
    softmax,
    unshifted_softmax,  # noqa: F401 - a mistake uses it
)


def average_attention(hidden: np.ndarray, context: np.ndarray) -> dict[str, np.ndarray]:
    """Weighted mean over time, with weights softmax(h·u/√d).

    Args:
        hidden: hidden states h (batch, time, features).
        context: context vector u (features,).

    Returns:
        output: (batch, features).

    Reference: Yang et al., "Hierarchical Attention Networks" (2016), equations 6 and 7, with the
    scaled dot product as the score.
    """
    scores = hidden @ context / np.sqrt(hidden.shape[-1])
    weights = softmax(scores, axis=1)
    return {"output": (weights[..., None] * hidden).sum(axis=1)}


KEY = Key(EXERCISE, average_attention)

# Of mistakes that a scale makes no difference to, so that they are not paired with a wrong one.
_UNSCALED = ("/ np.sqrt(hidden.shape[-1])", "")

KEY.mistake(
    "unscaled_scores",
    "You didn't scale the scores: look at what d does to their standard deviation.",
    *_UNSCALED,
)
KEY.mistake(
    "scores_divided_by_d",
    "You divided the scores by d itself; the formula takes its square root.",
    "np.sqrt(hidden.shape[-1])",
    "hidden.shape[-1]",
)
KEY.mistake(
    "scores_scaled_by_time",
    "You scaled the scores by the number of time steps: d is the size of one hidden state.",
    "hidden.shape[-1]",
    "hidden.shape[1]",
)
KEY.mistake(
    "softmax_over_batch",
    "The softmax ran over the batch: the weights of one sample's time steps must sum to 1.",
    "softmax(scores, axis=1)",
    "softmax(scores, axis=0)",
)
KEY.mistake(
    "scores_as_weights",
    "You used the scores themselves as weights: a softmax is missing.",
    "softmax(scores, axis=1)",
    "scores",
)
KEY.mistake(
    "unstable_pooling",
    "The exponentials overflow for large scores: use a stable softmax.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores, axis=1)",
)
KEY.mistake(
    "one_sum_for_all_samples",
    "You divided the exponentials by one sum over the whole batch: each sample's weights need "
    "their own sum.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores, axis=None)",
)
KEY.mistake(
    "scores_over_their_sum",
    "You divided the scores by their sum: weights need a softmax, which keeps them positive.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "scores / scores.sum(axis=1, keepdims=True)",
)
KEY.mistake(
    "plain_mean",
    "Every time step got the same weight: you didn't use the context.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "np.full_like(scores, 1 / scores.shape[1])",
)
KEY.mistake(
    "softmax_over_one_score",
    "Every weight is 1: the softmax ran over an axis of size 1, where there is nothing to share.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "np.ones_like(scores)",
)
KEY.mistake(
    "weighted_mean_of_mean",
    "You averaged the weighted hidden states once more: just sum them.",
    ".sum(axis=1)}",
    ".mean(axis=1)}",
)
KEY.mistake(
    "summed_over_features",
    "You summed over the features, so each time step became a single number: which axis should "
    "disappear?",
    ".sum(axis=1)}",
    ".sum(axis=-1)}",
)
KEY.mistake(
    "summed_over_samples",
    "You summed over the samples and mixed texts that have nothing to do with each other: "
    "which axis should disappear?",
    ".sum(axis=1)}",
    ".sum(axis=0)}",
)
KEY.mistake(
    "softmax_over_features",
    "You didn't sum the products over the features, and the softmax ran over the features: "
    "each time step has one score, and the time steps share the weights.",
    "hidden @ context",
    "hidden * context",
    "softmax(scores, axis=1)",
    "softmax(scores)",
    "weights[..., None]",
    "weights",
    alone=True,
)
KEY.mistake(
    "score_for_each_feature",
    "Every feature got its own scores and weights: a dot product sums over the features, so "
    "that each time step has one score.",
    "hidden @ context",
    "hidden * context",
    "weights[..., None]",
    "weights",
    alone=True,
)
