"""The key of ``attention.average_attention``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.attention.average_attention import EXERCISE
from keys.attention.common import (
    exponential_is,
    softmax,
    unshifted_softmax,
)
from keys.input_classes import Contain
from selfcheck.exercise import Case


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


KEY = Key(EXERCISE, average_attention, mutant_sample=3)

# Of mistakes that a scale makes no difference to, so that they are not paired with a wrong one.
_UNSCALED = ("/ np.sqrt(hidden.shape[-1])", "")

KEY.mistake(
    "unscaled_scores",
    "You didn't scale the scores: the formula divides them by the square root of d.",
    *_UNSCALED,
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "root_cut_to_a_whole_number",
    "You cut the root of d down to a whole number: divide by the root itself.",
    "np.sqrt(hidden.shape[-1])",
    "np.floor(np.sqrt(hidden.shape[-1]))",
    cost=SLIP,
)
# Rounded up or to the nearest: the cases' roots are above 3.5.
KEY.mistake(
    "root_rounded",
    "You rounded the root of d to a whole number: divide by the root itself.",
    "np.sqrt(hidden.shape[-1])",
    "np.ceil(np.sqrt(hidden.shape[-1]))",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_fourth_root",
    "You divided the scores by the fourth root of d: the formula takes the square root.",
    "np.sqrt(hidden.shape[-1])",
    "hidden.shape[-1]**0.25",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_logarithm",
    "You divided the scores by the logarithm of d: the formula takes its square root.",
    "np.sqrt(hidden.shape[-1])",
    "np.log(hidden.shape[-1])",
    cost=SLIP,
)
KEY.mistake(
    "scores_divided_by_d",
    "You divided the scores by d itself; the formula takes its square root.",
    "np.sqrt(hidden.shape[-1])",
    "hidden.shape[-1]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "scores_scaled_by_time",
    "You scaled the scores by the number of time steps: d is the size of one hidden state.",
    "hidden.shape[-1]",
    "hidden.shape[1]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "softmax_over_batch",
    "The softmax ran over the batch: the weights of one sample's time steps must sum to 1.",
    "softmax(scores, axis=1)",
    "softmax(scores, axis=0)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "scores_as_weights",
    "You used the scores themselves as weights: a softmax is missing.",
    "softmax(scores, axis=1)",
    "scores",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "unstable_pooling",
    "The exponentials overflow for large scores: use a stable softmax.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores, axis=1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "unstable_pooling_with_epsilon",
    "The exponentials overflow for large scores and are all 0 for low ones, and a small number in "
    "the sum doesn't help: use a stable softmax.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores, axis=1, epsilon=1e-12)",
    cost=SLIP,
)
KEY.mistake(
    "one_sum_for_all_samples",
    "You divided the exponentials by one sum over the whole batch: each sample's weights need "
    "their own sum.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores, axis=None)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "scores_over_their_sum",
    "You divided the scores by their sum: weights need a softmax, which keeps them positive.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "scores / scores.sum(axis=1, keepdims=True)",
    paired=True,
)
KEY.mistake(
    "plain_mean",
    "Every time step got the same weight: you didn't use the context.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "np.full_like(scores, 1 / scores.shape[1])",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "softmax_over_one_score",
    "Every weight is 1: the softmax ran over an axis of size 1, where there is nothing to share.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "np.ones_like(scores)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "weighted_mean_of_mean",
    "You averaged the weighted hidden states once more: just sum them.",
    ".sum(axis=1)}",
    ".mean(axis=1)}",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "weights_without_an_axis",
    "The weights have two axes and the vectors three: give the weights a last axis of size 1 "
    "before they multiply the vectors.",
    "weights[..., None] * hidden",
    "weights * hidden",
    cost=SLIP,
    failure=r"shapes: .\d,\d. vs. .\d,\d,\d.|"
    r"shapes:? \[\d+,\d+\] vs\. \[\d+,\d+,\d+\]|shapes:? \[\d+,\d+,\d+\] vs\. \[\d+,\d+\]|"
    r"shapes \(\d+,\d+\) \(\d+,\d+,\d+\)|shapes \(\d+,\d+,\d+\) \(\d+,\d+\)",
)
KEY.mistake(
    "summed_over_features",
    "You summed over the features, so each time step became a single number: which axis should "
    "disappear?",
    ".sum(axis=1)}",
    ".sum(axis=-1)}",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "summed_over_samples",
    "You summed over the samples and mixed texts that have nothing to do with each other: "
    "which axis should disappear?",
    ".sum(axis=1)}",
    ".sum(axis=0)}",
    cost=SLIP,
    paired=True,
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
)
KEY.mistake(
    "score_for_each_feature",
    "Every feature got its own scores and weights: a dot product sums over the features, so "
    "that each time step has one score.",
    "hidden @ context",
    "hidden * context",
    "weights[..., None]",
    "weights",
)
KEY.mistake(
    "scores_multiplied_by_root",
    "You multiplied the scores by the square root of d: scaling has to make them smaller.",
    "/ np.sqrt(hidden.shape[-1])",
    "* np.sqrt(hidden.shape[-1])",
    cost=SLIP,
)
KEY.mistake(
    "scores_scaled_by_batch",
    "You scaled the scores by the number of samples: d is the size of one hidden state.",
    "hidden.shape[-1]",
    "hidden.shape[0]",
    cost=SLIP,
)
KEY.mistake(
    "weights_scaled",
    "You divided the weights by the square root of d, so they sum to less than 1: it's the "
    "scores that are scaled, before the softmax.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "softmax(scores, axis=1) / np.sqrt(hidden.shape[-1])",
    cost=SLIP,
)
KEY.mistake(
    "one_softmax_for_all_samples",
    "The softmax shared one weight of 1 among the time steps of all samples: each sample's "
    "weights must sum to 1.",
    "softmax(scores, axis=1)",
    "softmax(scores, axis=None)",
    cost=SLIP,
)
KEY.mistake(
    "sigmoid_of_scores",
    "You used a sigmoid instead of a softmax: the weights of one sample must compete.",
    "softmax(scores, axis=1)",
    "1 / (1 + np.exp(-scores))",
)
KEY.mistake(
    "tanh_of_hidden",
    "You took the tanh of the hidden states before the dot product, as some papers do: here the "
    "score is the scaled dot product itself.",
    "hidden @ context",
    "np.tanh(hidden) @ context",
    cost=SLIP,
)
KEY.mistake(
    "tanh_of_scores",
    "You took the tanh of the scores, which keeps them between -1 and 1: here the softmax gets "
    "the scaled dot products themselves.",
    "softmax(scores, axis=1)",
    "softmax(np.tanh(scores), axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "cosine_scores",
    "You divided by the lengths of the vectors, which gives their cosine: the task's formula "
    "divides the dot product by the square root of d alone.",
    "/ np.sqrt(hidden.shape[-1])",
    # Of zeros, which have no direction, the cosine is 0.
    "/ np.maximum(np.linalg.norm(hidden, axis=-1), 1e-9) / np.linalg.norm(context)",
)
KEY.mistake(
    "context_averaged",
    "You averaged the context, so every sample gives the context itself: which vectors does the "
    "task average?",
    "weights[..., None] * hidden",
    "weights[..., None] * context",
)
KEY.mistake(
    "weights_returned",
    "You returned the weights: the task asks for the average that they give.",
    '"output": (weights[..., None] * hidden).sum(axis=1)',
    '"output": weights',
    cost=PART,
)
KEY.mistake(
    "not_summed",
    "You weighted the hidden states but didn't add them up: a weighted mean is one vector per "
    "sample.",
    ".sum(axis=1)}",
    "}",
    cost=PART,
)
KEY.mistake(
    "time_axis_kept",
    "The time axis is still there, with size 1: the output is one vector per sample.",
    ".sum(axis=1)}",
    ".sum(axis=1, keepdims=True)}",
    cost=SLIP,
)
_ONE_SAMPLE = (
    "This fails for a batch of one sample: you removed every axis of size 1, and the batch is then "
    "one of them. Which axis did you want to remove?"
)
KEY.mistake(
    "output_squeezed",
    _ONE_SAMPLE,
    '"output": (weights[..., None] * hidden).sum(axis=1)',
    '"output": np.squeeze((weights[..., None] * hidden).sum(axis=1))',
    cost=SLIP,
)
KEY.mistake(
    "scores_squeezed",
    _ONE_SAMPLE,
    "hidden @ context",
    "np.squeeze(hidden @ context[:, None])",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_half_of_d",
    "You divided the scores by half of d, not by its square root: which comes first, the power or "
    "the division?",
    "np.sqrt(hidden.shape[-1])",
    "(hidden.shape[-1] / 2)",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_twice_d",
    "You divided the scores by twice d: a power comes before a division, so an exponent of 1/2 "
    "needs brackets.",
    "np.sqrt(hidden.shape[-1])",
    "(hidden.shape[-1] * 2)",
    cost=SLIP,
)
KEY.mistake(
    "hidden_states_scaled",
    "The output is too small by a factor of the root of d: scale only the scores, and average "
    "the hidden states as they were given.",
    ".sum(axis=1)}",
    ".sum(axis=1) / np.sqrt(hidden.shape[-1])}",
    cost=SLIP,
)
KEY.mistake(
    "scores_clipped",
    "You cut large scores off at a bound, so that different scores get the same weight: use a "
    "softmax that is stable for scores of any size.",
    "softmax(scores, axis=1)",
    "softmax(np.clip(scores, -50, 50), axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "largest_of_the_batch_subtracted",
    "You subtracted the largest score of the whole batch: the exponentials of a sample whose "
    "scores are much lower are then all 0. Subtract each sample's own largest score.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores - scores.max(), axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "largest_of_the_batch_subtracted_and_0_avoided",
    "You subtracted the largest score of the whole batch: the exponentials of a sample whose "
    "scores are much lower are then all 0. Subtract each sample's own largest score.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores - scores.max(), axis=1, epsilon=1e-9)",
    cost=SLIP,
)
KEY.mistake(
    "zeros_taken_for_padding",
    "You treated hidden states of zeros as padding: this task has none, and a score of 0 gets "
    "weight like any other.",
    "softmax(scores, axis=1)",
    "softmax(np.where(hidden.any(axis=-1), scores, -1e9), axis=1)",
    cost=SLIP,
)
WEIGHTS = {
    "exponentials_not_divided": (
        PART,
        "You didn't divide the exponentials by their sum: each sample's weights must sum to 1.",
        "softmax(scores, axis=1)",
        "np.exp(scores.astype(np.float32))",
    ),
    "nan_replaced": (
        SLIP,
        "You replaced NaN with 0, so the output is finite but wrong: the exponentials still "
        "overflow. Use a stable softmax.",
        "softmax(scores, axis=1)",
        "np.nan_to_num(unshifted_softmax(scores, axis=1))",
    ),
    "softmax_twice": (
        SLIP,
        "You applied the softmax twice, which makes the weights almost equal.",
        "softmax(scores, axis=1)",
        "softmax(softmax(scores, axis=1), axis=1)",
    ),
    "context_of_length_1": (
        SLIP,
        "You divided the context vector by its length: the formula takes it as it is.",
        "hidden @ context",
        "hidden @ (context / max(np.linalg.norm(context), 1e-12))",
    ),
    "scores_divided_by_root_of_two": (
        SLIP,
        "You divided the scores by the square root of 2, as if there were always two features: d "
        "is the size of one hidden state.",
        "hidden.shape[-1]",
        "2",
    ),
    "negative_scores_raised": (
        SLIP,
        "You set negative scores to 0: leave them as they are, because the softmax turns them "
        "into small weights.",
        "softmax(scores, axis=1)",
        "softmax(np.maximum(scores, 0), axis=1)",
    ),
    "low_scores_not_shifted": (
        SLIP,
        "You subtracted the largest score only where it's above 0: scores far below 0 have "
        "exponentials that are all 0. Subtract it always.",
        "softmax(scores, axis=1)",
        "unshifted_softmax(scores - np.maximum(scores.max(axis=1, keepdims=True), 0), axis=1)",
    ),
}

for _name, (_cost, _hint, *_changes) in WEIGHTS.items():
    KEY.mistake(_name, _hint, *_changes, cost=_cost)


def _any_scores(holds: Callable[[np.ndarray], bool]) -> Contain:
    """Whether the scores (batch, time) of a case are of some kind."""

    def some_case(cases: Sequence[Case]) -> bool:
        return any(holds(_scores(case)) for case in cases)

    return some_case


def _scores(case: Case) -> np.ndarray:
    hidden = case.inputs["hidden"]
    return hidden @ case.inputs["context"] / np.sqrt(hidden.shape[-1])


def _zeros_fit_best(case: Case) -> bool:
    zeros = ~case.inputs["hidden"].any(axis=-1)
    return bool((zeros.any(axis=1) & (_scores(case).max(axis=1) == 0)).any())


INPUT_CLASSES = {
    "several samples": _any_scores(lambda scores: len(scores) > 1),
    "a batch of one sample": _any_scores(lambda scores: len(scores) == 1),
    "equal hidden states": lambda cases: any(
        np.ptp(case.inputs["hidden"], axis=1).max() == 0 for case in cases
    ),
    "scores of both signs": _any_scores(lambda scores: scores.min() < 0 < scores.max()),
    "scores whose exponentials overflow": _any_scores(exponential_is(np.inf)),
    "scores whose exponentials overflow in float64, too": _any_scores(
        lambda scores: scores.min(axis=1).max() > 710
    ),
    "a sample whose exponentials are all 0": _any_scores(exponential_is(0.0)),
    "scores of one sample far apart": _any_scores(
        lambda scores: np.ptp(scores, axis=1).max() > 710
    ),
    "a hidden state of zeros that fits better than all others": lambda cases: any(
        _zeros_fit_best(case) for case in cases
    ),
}
