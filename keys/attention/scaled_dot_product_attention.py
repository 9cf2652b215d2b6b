"""The key of ``attention.scaled_dot_product_attention``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.attention.scaled_dot_product_attention import EXERCISE
from keys.attention.common import (
    masked,
    softmax,
    transposed,
    unshifted_softmax,  # noqa: F401 - a mistake uses it
)
from keys.attention.scaled_dot_product_mistakes import MASKS, SOFTMAXES


def scaled_dot_product_attention(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, mask: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Attention(Q, K, V) = softmax(QKᵀ/√d_k)V, equation 1.

    Args:
        query: (..., T, d_k).
        key: (..., S, d_k).
        value: (..., S, d_v).
        mask: boolean, broadcasts to (..., T, S); True may be attended to.

    Returns:
        output: (..., T, d_v); weights: (..., T, S).
    """
    logits = masked(query @ transposed(key) / np.sqrt(key.shape[-1]), mask)
    weights = softmax(logits)
    return {"output": weights @ value, "weights": weights}


KEY = Key(EXERCISE, scaled_dot_product_attention, one_slip_in=3)

KEY.mistake(
    "no_scaling",
    "You didn't scale the scores: compare their standard deviation with the simulation of the "
    "square root of d_k.",
    "/ np.sqrt(key.shape[-1])",
    "",
    section=3,
    cost=SLIP,
)
KEY.mistake(
    "divided_by_d_k",
    "You divided the scores by d_k itself, which makes the weights too even: which power of "
    "d_k is the scores' standard deviation?",
    "np.sqrt(key.shape[-1])",
    "key.shape[-1]",
    section=3,
    cost=SLIP,
)
KEY.mistake(
    "multiplied_by_root",
    "You multiplied the scores by the square root of d_k: scaling has to make them smaller.",
    "/ np.sqrt(key.shape[-1])",
    "* np.sqrt(key.shape[-1])",
    section=3,
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "divided_by_half_of_d_k",
    "You divided the scores by half of d_k, not by its square root: which comes first, the "
    "power or the division?",
    "np.sqrt(key.shape[-1])",
    "(key.shape[-1] / 2)",
    section=3,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "divided_by_twice_d_k",
    "You divided the scores by twice d_k: a power comes before a division, so an exponent of 1/2 "
    "needs brackets.",
    "np.sqrt(key.shape[-1])",
    "(key.shape[-1] * 2)",
    section=3,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "scaled_after_softmax",
    "You divided the weights by the square root of d_k, so they sum to less than 1: it's the "
    "scores that are scaled, before the softmax.",
    "/ np.sqrt(key.shape[-1])",
    "",
    "softmax(logits)",
    "softmax(logits) / np.sqrt(key.shape[-1])",
    section=3,
    alone=True,
    cost=SLIP,
)
for _name, _what, _size in (
    ("scaled_by_queries", "number of queries", "query.shape[-2]"),
    ("scaled_by_keys", "number of keys", "key.shape[-2]"),
    ("scaled_by_batch", "batch size", "key.shape[0]"),
):
    KEY.mistake(
        _name,
        f"You scaled the scores by the {_what}: d_k is the size of the keys' last axis.",
        "key.shape[-1]",
        _size,
        section=3,
        alone=True,
        cost=SLIP,
    )
KEY.mistake(
    "scaled_by_d_v",
    "You scaled the scores by the depth of the values: which two vectors does the dot product "
    "multiply?",
    "key.shape[-1]",
    "value.shape[-1]",
    section=3,
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "softmax_over_queries",
    "The softmax ran over the queries: for each query, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=-2)",
    section=2,
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_axis_one",
    "The softmax always ran over the second axis: the weights of the keys must sum to 1, and "
    "the keys are the last axis, with or without heads in front.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    section=2,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_axis_two",
    "The softmax ran over a fixed axis: with heads in front, that's a different axis.",
    "softmax(logits)",
    "softmax(logits, axis=2)",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "no_softmax",
    "You used the scores themselves as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
    section=2,
    cost=PART,
    alone=True,
)
KEY.mistake(
    "divided_by_sum",
    "You divided the scores by their sum: weights need a softmax, which keeps them positive.",
    "softmax(logits)",
    "logits / logits.sum(axis=-1, keepdims=True)",
    section=2,
    alone=True,
)
KEY.mistake(
    "one_sum_for_all_queries",
    "You divided the exponentials by one sum over the whole array: each query's weights need "
    "their own sum.",
    "softmax(logits)",
    "unshifted_softmax(logits, axis=None)",
    section=2,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "sigmoid_weights",
    "You used a sigmoid instead of a softmax: the weights of one query must compete.",
    "softmax(logits)",
    "1 / (1 + np.exp(-logits))",
    section=2,
    alone=True,
)
KEY.mistake(
    "unstable_softmax",
    "The exponentials overflow for large scores: use a stable softmax.",
    "softmax(logits)",
    "unshifted_softmax(logits)",
    cost=SLIP,
)
KEY.mistake(
    "unstable_softmax_with_epsilon",
    "The exponentials overflow for large scores and are all 0 for low ones, and a small number in "
    "the sum doesn't help: use a stable softmax.",
    "softmax(logits)",
    "unshifted_softmax(logits, epsilon=1e-12)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "mask_ignored",
    "You didn't use the mask: padding still gets weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
    cost=PART,
)
KEY.mistake(
    "mask_inverted",
    "You read the mask the wrong way round: True means that a key may be attended to.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
    cost=SLIP,
)
KEY.mistake(
    "padding_raised",
    "The mask raised the scores of masked keys instead of lowering them: only padding is "
    "attended to. Which sign must the large number have?",
    "-1e9",
    "1e9",
    cost=SLIP,
    alone=True,
)
KEY.mistake(
    "barely_hidden",
    "The number that replaces a masked score isn't low enough, because other scores can be even "
    "lower: choose one that none of them reaches.",
    "-1e9",
    "-100.0",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "mask_with_an_axis_too_many",
    "You added an axis to the mask, and so to the scores as well: the mask already comes in a "
    "shape that fits.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask[:, None], logits, -1e9)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "mask_with_two_axes_too_many",
    "You added axes to the mask, and so to the scores as well: the mask already comes in a "
    "shape that fits.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask[:, None, None], logits, -1e9)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "mask_multiplied",
    "The mask set the scores of masked keys to 0, but the softmax gives a score of 0 some "
    "weight: what must a score be for a weight of 0?",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
KEY.mistake(
    "mask_after_softmax",
    "You applied the mask after the softmax, so the remaining weights no longer sum to 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "return {",
    "weights = weights if mask is None else weights * mask; return {",
    cost=SLIP,
)
KEY.mistake(
    "minus_infinity",
    "A sample that's all padding gives NaN, because no key is left to share the weight and 0 "
    "divided by 0 isn't a number: masked scores should be very low, but finite.",
    "-1e9",
    "-np.inf",
    cost=SLIP,
)
KEY.mistake(
    "keys_blended",
    "You applied the weights to the keys: the keys say where to look, and the values what is "
    "passed on.",
    "weights @ value",
    "weights @ key",
    section=2,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "swapped_returns",
    "The two results are swapped: the output comes first, then the weights.",
    '"output": weights @ value, "weights": weights',
    '"weights": weights @ value, "output": weights',
    cost=SLIP,
)
KEY.mistake(
    "logits_returned",
    "The first result is right, but the second contains the scores: return what came out of "
    "the softmax.",
    '"weights": weights',
    '"weights": logits',
    cost=SLIP,
)
KEY.mistake(
    "three_axes_only",
    "This works for three axes only: with heads in front there are four. Which two axes have "
    "to be swapped, counted from the end?",
    "transposed(key)",
    "key.transpose(0, 2, 1)",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "four_axes_only",
    "This works for four axes only: without heads there are three. Which two axes have to be "
    "swapped, counted from the end?",
    "transposed(key)",
    "np.swapaxes(key, 2, 3)",
    alone=True,
    cost=SLIP,
    failure=r"out of bounds|vector of size 4|rank 4|must be of size 3",
)
KEY.mistake(
    "mask_always_expected",
    "Your function fails when it's called without a mask: what is `mask` then?",
    "logits if mask is None else np.where(mask, logits, -1e9)",
    "np.where(mask[...], logits, -1e9)",
    alone=True,
    cost=SLIP,
    failure=r"NoneType|None values|\(None\)|argument:? '?mask",
)
KEY.mistake(
    "mask_as_condition",
    "Your function fails when it gets a mask: an array is neither true nor false. "
    "What do you want to know about `mask` there?",
    "logits if mask is None else np.where(mask, logits, -1e9)",
    "np.where(mask, logits, -1e9) if mask else logits",
    alone=True,
    cost=SLIP,
    failure=r"truth value|ambiguous",
)
KEY.mistake(
    "mask_not_cast",
    "Your function fails when it gets a mask, because it calculates with True and False: turn "
    "them into numbers first, or use a function that chooses between two values.",
    "np.where(mask, logits, -1e9)",
    "logits + np.subtract(mask, True) * 1e9",
    alone=True,
    cost=SLIP,
    failure=r"dtype bool|of bool|bool tensor|boolean|bool'|DT_BOOL",
)
KEY.mistake(
    "keys_reshaped",
    "You reshaped the keys to (d_k, S), which keeps all numbers in their order and so mixes keys "
    "and features: their two axes have to change places.",
    "transposed(key)",
    "key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])",
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_batch",
    "The softmax ran over the batch: for each query, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=0)",
    section=2,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_everything",
    "The softmax shared one weight of 1 among all queries and samples: for each query, the "
    "weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=None)",
    section=2,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "softmax_twice",
    "You applied the softmax twice, which makes the weights almost equal.",
    "softmax(logits)",
    "softmax(softmax(logits))",
    section=2,
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "weights_before_the_mask",
    "The output is right, but the weights that you return come from before the mask: return "
    "those that blended the values.",
    '"weights": weights',
    '"weights": softmax(query @ transposed(key) / np.sqrt(key.shape[-1]))',
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "scores_before_the_mask_returned",
    "The output is right, but the second result contains the scores, and without the mask: return "
    "what came out of the softmax.",
    '"weights": weights',
    '"weights": query @ transposed(key) / np.sqrt(key.shape[-1])',
    alone=True,
    cost=SLIP,
)
KEY.mistake(
    "weights_not_returned",
    "You returned the output alone: the task asks for the pair (output, weights).",
    '"weights": weights',
    '"weights": None',
    alone=True,
    cost=PART,
)
KEY.mistake(
    "output_not_returned",
    "You returned the weights alone: the task asks for the pair (output, weights).",
    '"output": weights @ value, "weights": weights',
    '"output": weights, "weights": None',
    alone=True,
    cost=PART,
)
for _name, (_cost, _hint, *_edits) in {**MASKS, **SOFTMAXES}.items():
    KEY.mistake(_name, _hint, *_edits, alone=True, cost=_cost)
