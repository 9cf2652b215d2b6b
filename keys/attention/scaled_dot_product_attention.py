"""The key of ``attention.scaled_dot_product_attention``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import Key
from course.exercises.attention.scaled_dot_product_attention import EXERCISE
from keys.attention.common import (
    masked,
    softmax,
    transposed,
    unshifted_softmax,  # noqa: F401 - a mistake uses it
)


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


KEY = Key(EXERCISE, scaled_dot_product_attention)

KEY.mistake(
    "no_scaling",
    "You didn't scale the logits: compare their standard deviation with the simulation of the "
    "square root of d_k.",
    "/ np.sqrt(key.shape[-1])",
    "",
    section=3,
)
KEY.mistake(
    "divided_by_d_k",
    "You divided the logits by d_k itself, which makes the weights too even: which power of "
    "d_k is the logits' standard deviation?",
    "np.sqrt(key.shape[-1])",
    "key.shape[-1]",
    section=3,
)
KEY.mistake(
    "multiplied_by_root",
    "You multiplied the logits by the square root of d_k: scaling has to make them smaller.",
    "/ np.sqrt(key.shape[-1])",
    "* np.sqrt(key.shape[-1])",
    section=3,
)
KEY.mistake(
    "divided_by_half_of_d_k",
    "You divided the logits by half of d_k, not by its square root: which comes first, the "
    "power or the division?",
    "np.sqrt(key.shape[-1])",
    "(key.shape[-1] / 2)",
    section=3,
    alone=True,
)
KEY.mistake(
    "scaled_after_softmax",
    "You divided the weights by the square root of d_k, so they sum to less than 1: it's the "
    "logits that are scaled, before the softmax.",
    "/ np.sqrt(key.shape[-1])",
    "",
    "softmax(logits)",
    "softmax(logits) / np.sqrt(key.shape[-1])",
    section=3,
    alone=True,
)
KEY.mistake(
    "scaled_by_queries",
    "You scaled the logits by the number of queries: d_k is the size of the keys' last axis.",
    "key.shape[-1]",
    "query.shape[-2]",
    section=3,
)
KEY.mistake(
    "scaled_by_keys",
    "You scaled the logits by the number of keys: d_k is the size of the keys' last axis.",
    "key.shape[-1]",
    "key.shape[-2]",
    section=3,
)
KEY.mistake(
    "scaled_by_batch",
    "You scaled the logits by the batch size: d_k is the size of the keys' last axis.",
    "key.shape[-1]",
    "key.shape[0]",
    section=3,
)
KEY.mistake(
    "scaled_by_d_v",
    "You scaled the logits by the depth of the values: which two vectors does the dot product "
    "multiply?",
    "key.shape[-1]",
    "value.shape[-1]",
    section=3,
)
KEY.mistake(
    "softmax_over_queries",
    "The softmax ran over the queries: for each query, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=-2)",
    section=2,
)
KEY.mistake(
    "softmax_over_axis_one",
    "The softmax always ran over the second axis: the weights of the keys must sum to 1, and "
    "the keys are the last axis, with or without heads in front.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    section=2,
    alone=True,
)
KEY.mistake(
    "softmax_over_axis_two",
    "The softmax ran over a fixed axis: with heads in front, that's a different axis.",
    "softmax(logits)",
    "softmax(logits, axis=2)",
)
KEY.mistake(
    "no_softmax",
    "You used the logits themselves as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
    section=2,
)
KEY.mistake(
    "divided_by_sum",
    "You divided the logits by their sum: weights need a softmax, which keeps them positive.",
    "softmax(logits)",
    "logits / logits.sum(axis=-1, keepdims=True)",
    section=2,
)
KEY.mistake(
    "one_sum_for_all_queries",
    "You divided the exponentials by one sum over the whole array: each query's weights need "
    "their own sum.",
    "softmax(logits)",
    "unshifted_softmax(logits, axis=None)",
    section=2,
    alone=True,
)
KEY.mistake(
    "sigmoid_weights",
    "You used a sigmoid instead of a softmax: the weights of one query must compete.",
    "softmax(logits)",
    "1 / (1 + np.exp(-logits))",
    section=2,
)
KEY.mistake(
    "unstable_softmax",
    "The exponentials overflow for large logits: use a stable softmax.",
    "softmax(logits)",
    "unshifted_softmax(logits)",
)
KEY.mistake(
    "mask_ignored",
    "You didn't use the mask: padding still gets weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
KEY.mistake(
    "mask_inverted",
    "You read the mask the wrong way round: True means that a key may be attended to.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
)
KEY.mistake(
    "padding_raised",
    "The mask raised the logits of masked keys instead of lowering them: only padding is "
    "attended to. Which sign must the large number have?",
    "-1e9",
    "1e9",
)
KEY.mistake(
    "barely_hidden",
    "The number that masks a logit isn't low enough, because other logits can be even lower: "
    "choose one that none of them reaches.",
    "-1e9",
    "-20.0",
    alone=True,
)
KEY.mistake(
    "mask_with_an_axis_too_many",
    "You added an axis to the mask, and so to the logits as well: the mask already comes in a "
    "shape that fits.",
    # Other masks than for padding fit nowhere, and that a program fails says nothing of why.
    "np.where(mask, logits, -1e9)",
    "np.where(mask if mask.ndim < 3 else mask[:, None], logits, -1e9)",
    alone=True,
)
KEY.mistake(
    "mask_multiplied",
    "The mask set the logits of masked keys to 0, but the softmax gives a logit of 0 some "
    "weight: what must a logit be for a weight of 0?",
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
)
KEY.mistake(
    "minus_infinity",
    "Masked logits became minus infinity, so a sample that's all padding has nothing left to "
    "divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
)
KEY.mistake(
    "keys_blended",
    "You applied the weights to the keys: the keys say where to look, and the values what is "
    "passed on.",
    "weights @ value",
    "weights @ key",
    section=2,
    alone=True,
)
KEY.mistake(
    "swapped_returns",
    "The two results are swapped: the output comes first, then the weights.",
    '"output": weights @ value, "weights": weights',
    '"weights": weights @ value, "output": weights',
)
KEY.mistake(
    "logits_returned",
    "The first result is right, but the second contains the logits: return what came out of "
    "the softmax.",
    '"weights": weights',
    '"weights": logits',
)
KEY.mistake(
    "three_axes_only",
    "This works for three axes only: with heads in front there are four. Which two axes have "
    "to be swapped, counted from the end?",
    "transposed(key)",
    "key.transpose(0, 2, 1)",
    alone=True,
)
