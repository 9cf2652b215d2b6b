"""The key of ``attention.scaled_dot_product_attention``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.attention.scaled_dot_product_attention import EXERCISE, FAR
from keys.attention.common import (
    exponential_is,
    masked,
    softmax,
    transposed,
    unshifted_softmax,
)
from keys.input_classes import Contain, some_mask
from selfcheck.exercise import Case


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


KEY = Key(EXERCISE, scaled_dot_product_attention, mutant_sample=3)

KEY.mistake(
    "no_scaling",
    "You didn't scale the scores: compare their standard deviation with the simulation of the "
    "square root of d_k.",
    "/ np.sqrt(key.shape[-1])",
    "",
    section=3,
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "divided_by_d_k",
    "You divided the scores by d_k itself, which makes the weights too even: which power of "
    "d_k is the scores' standard deviation?",
    "np.sqrt(key.shape[-1])",
    "key.shape[-1]",
    section=3,
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "multiplied_by_root",
    "You multiplied the scores by the square root of d_k: scaling has to make them smaller.",
    "/ np.sqrt(key.shape[-1])",
    "* np.sqrt(key.shape[-1])",
    section=3,
    cost=SLIP,
)
KEY.mistake(
    "divided_by_half_of_d_k",
    "You divided the scores by half of d_k, not by its square root: which comes first, the "
    "power or the division?",
    "np.sqrt(key.shape[-1])",
    "(key.shape[-1] / 2)",
    section=3,
    cost=SLIP,
)
KEY.mistake(
    "divided_by_twice_d_k",
    "You divided the scores by twice d_k: a power comes before a division, so an exponent of 1/2 "
    "needs brackets.",
    "np.sqrt(key.shape[-1])",
    "(key.shape[-1] * 2)",
    section=3,
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
)
KEY.mistake(
    "softmax_over_queries",
    "The softmax ran over the queries: for each query, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=-2)",
    section=2,
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "softmax_over_axis_one",
    "The softmax always ran over the second axis: the weights of the keys must sum to 1, and "
    "the keys are the last axis, with or without heads in front.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    section=2,
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_axis_two",
    "The softmax ran over a fixed axis: with heads in front, that's a different axis.",
    "softmax(logits)",
    "softmax(logits, axis=2)",
    cost=SLIP,
)
KEY.mistake(
    "no_softmax",
    "You used the scores themselves as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
    section=2,
    cost=PART,
)
KEY.mistake(
    "divided_by_sum",
    "You divided the scores by their sum: weights need a softmax, which keeps them positive.",
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
    cost=SLIP,
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
    "The exponentials overflow for large scores: use a stable softmax.",
    "softmax(logits)",
    "unshifted_softmax(logits)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "unstable_softmax_with_epsilon",
    "The exponentials overflow for large scores and are all 0 for low ones, and a small number in "
    "the sum doesn't help: use a stable softmax.",
    "softmax(logits)",
    "unshifted_softmax(logits, epsilon=1e-12)",
    cost=SLIP,
)
KEY.mistake(
    "mask_ignored",
    "You didn't use the mask: padding still gets weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "mask_inverted",
    "You read the mask the wrong way round: True means that a key may be attended to.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "padding_raised",
    "The mask raised the scores of masked keys instead of lowering them: only padding is "
    "attended to. Which sign must the large number have?",
    "-1e9",
    "1e9",
    cost=SLIP,
)
KEY.mistake(
    "barely_hidden",
    "The number that replaces a masked score isn't low enough, because other scores can be even "
    "lower: choose one that none of them reaches.",
    "-1e9",
    "-100.0",
    cost=SLIP,
)
KEY.mistake(
    "mask_with_an_axis_too_many",
    "You added an axis to the mask, and so to the scores as well: the mask already comes in a "
    "shape that fits.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask[:, None], logits, -1e9)",
    cost=SLIP,
)
KEY.mistake(
    "mask_with_two_axes_too_many",
    "You added axes to the mask, and so to the scores as well: the mask already comes in a "
    "shape that fits.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask[:, None, None], logits, -1e9)",
    cost=SLIP,
)
KEY.mistake(
    "mask_multiplied",
    "The mask set the scores of masked keys to 0, but the softmax gives a score of 0 some "
    "weight: what must a score be for a weight of 0?",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
    paired=True,
)
KEY.mistake(
    "mask_after_softmax",
    "You applied the mask after the softmax, so the remaining weights no longer sum to 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "return {",
    "weights = weights if mask is None else weights * mask; return {",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "minus_infinity",
    "A sample that's all padding gives NaN, because no key is left to share the weight and 0 "
    "divided by 0 isn't a number: masked scores should be very low, but finite.",
    "-1e9",
    "-np.inf",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "keys_blended",
    "You applied the weights to the keys: the keys say where to look, and the values what is "
    "passed on.",
    "weights @ value",
    "weights @ key",
    section=2,
    cost=SLIP,
)
KEY.mistake(
    "swapped_returns",
    "The two results are swapped: the output comes first, then the weights.",
    '"output": weights @ value, "weights": weights',
    '"weights": weights @ value, "output": weights',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "logits_returned",
    "Your second result contains the scores: return what came out of the softmax.",
    '"weights": weights',
    '"weights": logits',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "three_axes_only",
    "This works for three axes only: with heads in front there are four. Which two axes have "
    "to be swapped, counted from the end?",
    "transposed(key)",
    "key.transpose(0, 2, 1)",
    cost=SLIP,
)
KEY.mistake(
    "four_axes_only",
    "This works for four axes only: without heads there are three. Which two axes have to be "
    "swapped, counted from the end?",
    "transposed(key)",
    "np.swapaxes(key, 2, 3)",
    cost=SLIP,
    failure=r"out of bounds|vector of size 4|rank 4|must be of size 3",
)
KEY.mistake(
    "mask_always_expected",
    "Your function fails when it's called without a mask: what is `mask` then?",
    "logits if mask is None else np.where(mask, logits, -1e9)",
    "np.where(mask[...], logits, -1e9)",
    cost=SLIP,
    failure=r"NoneType|None values|\(None\)|argument:? '?mask",
)
KEY.mistake(
    "mask_as_condition",
    "Your function fails when it gets a mask: an array is neither true nor false. "
    "What do you want to know about `mask` there?",
    "logits if mask is None else np.where(mask, logits, -1e9)",
    "np.where(mask, logits, -1e9) if mask else logits",
    cost=SLIP,
    failure=r"truth value|ambiguous",
)
KEY.mistake(
    "mask_not_cast",
    "Your function fails when it gets a mask, because it calculates with True and False: turn "
    "them into numbers first, or use a function that chooses between two values.",
    "np.where(mask, logits, -1e9)",
    "logits + np.subtract(mask, True) * 1e9",
    cost=SLIP,
    failure=r"dtype bool|of bool|bool tensor|boolean|bool'|DT_BOOL",
)
KEY.mistake(
    "keys_reshaped",
    "You reshaped the keys to (d_k, S), which keeps all numbers in their order and so mixes keys "
    "and features: their two axes have to change places.",
    "transposed(key)",
    "key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])",
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_batch",
    "The softmax ran over the batch: for each query, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=0)",
    section=2,
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_everything",
    "The softmax shared one weight of 1 among all queries and samples: for each query, the "
    "weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=None)",
    section=2,
    cost=SLIP,
)
KEY.mistake(
    "softmax_twice",
    "You applied the softmax twice, which makes the weights almost equal.",
    "softmax(logits)",
    "softmax(softmax(logits))",
    section=2,
    cost=SLIP,
)
KEY.mistake(
    "weights_before_the_mask",
    "The weights that you return come from before the mask: return those that blended the values.",
    '"weights": weights',
    '"weights": softmax(query @ transposed(key) / np.sqrt(key.shape[-1]))',
    cost=SLIP,
)
KEY.mistake(
    "scores_before_the_mask_returned",
    "Your second result contains the scores, and without the mask: return what came out of the "
    "softmax.",
    '"weights": weights',
    '"weights": query @ transposed(key) / np.sqrt(key.shape[-1])',
    cost=SLIP,
)
KEY.mistake(
    "weights_not_returned",
    "You returned the output alone: the task asks for the pair (output, weights).",
    '"weights": weights',
    '"weights": None',
    cost=PART,
)
KEY.mistake(
    "output_not_returned",
    "You returned the weights alone: the task asks for the pair (output, weights).",
    '"output": weights @ value, "weights": weights',
    '"output": weights, "weights": None',
    cost=PART,
)
_FEWER_AXES = (
    "You treated a mask with fewer axes than the scores as a padding mask, and added axes after "
    "its first: a mask (T, S) belongs to the last two axes, so let the operation broadcast it."
)

_OTHERS_VANISH = (
    "You applied the mask after the exponentials and rescaled the other weights: if a masked score "
    "is far above theirs, they're already 0. Mask the scores."
)

_MASKED = "masked(query @ transposed(key) / np.sqrt(key.shape[-1]), mask)"

MASKS = {
    "hidden_like_the_lowest_score": (
        SLIP,
        "Masked keys get the lowest of all scores, and so still a weight: a score that gives a "
        "weight of 0 is far below all others.",
        _MASKED,
        "(lambda s: s if mask is None else np.where(mask, s, s.min()))("
        "query @ transposed(key) / np.sqrt(key.shape[-1]))",
    ),
    "billion_added_to_what_counts": (
        SLIP,
        "You added a large number to the scores that count: in float32 it rounds their differences "
        "away. Make the scores of masked keys small instead.",
        _MASKED,
        "(lambda s: s if mask is None else (s + np.where(mask, 1e9, 0)).astype(np.float32))("
        "(query @ transposed(key) / np.sqrt(key.shape[-1])).astype(np.float32))",
    ),
    "causal": (
        IDEA,
        "Each query looks only at keys up to its own position: only the mask says which keys it "
        "may look at.",
        "softmax(logits)",
        "softmax(masked(logits, np.tri(*logits.shape[-2:], dtype=bool)))",
    ),
    "barely_lowered": (
        SLIP,
        "The number that you added to masked scores isn't low enough: a high one still ends up "
        "above the others. Choose a number that outweighs all scores.",
        "np.where(mask, logits, -1e9)",
        "logits - 1e4 * ~mask",
    ),
    "renormalised_after_softmax": (
        SLIP,
        _OTHERS_VANISH,
        "np.where(mask, logits, -1e9)",
        "logits",
        "return {",
        "weights = weights if mask is None else weights * mask; "
        "weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-9); return {",
    ),
    "renormalised_to_nan": (
        SLIP,
        _OTHERS_VANISH,
        "np.where(mask, logits, -1e9)",
        "logits",
        "return {",
        "weights = weights if mask is None else weights * mask; "
        "weights = weights / weights.sum(axis=-1, keepdims=True); return {",
    ),
    "fewer_axes_taken_for_padding": (
        SLIP,
        _FEWER_AXES,
        "np.where(mask, logits, -1e9)",
        "np.where(mask if mask.ndim == logits.ndim else mask[:, None], logits, -1e9)",
    ),
    "first_row_of_the_mask": (
        SLIP,
        "You used the first query's row of the mask for all queries: a mask (T, S) has a row for "
        "each of them.",
        "np.where(mask, logits, -1e9)",
        "np.where(mask[..., :1, :], logits, -1e9)",
    ),
    "mask_left_away_for_all": (
        SLIP,
        "When one sample is all padding, you don't use the mask for any sample: the others still "
        "need it.",
        "np.where(mask, logits, -1e9)",
        "np.where(mask | ~mask.any(axis=-1).all(), logits, -1e9)",
    ),
    "zero_scores_masked": (
        SLIP,
        "You treated each score of exactly 0 as masked: a key that may be attended to can have "
        "this score, too. Only the mask says which keys are hidden.",
        "np.where(mask, logits, -1e9)",
        "np.where(mask & (logits != 0), logits, -1e9)",
    ),
    "zeros_taken_for_padding": (
        SLIP,
        "You treated keys of zeros as padding, even without a mask: a score of 0 gets weight "
        "like any other. Only the mask says which keys are hidden.",
        "softmax(logits)",
        "softmax(np.where(key.any(axis=-1)[..., None, :], logits, -1e9))",
    ),
    "zeros_taken_for_padding_without_a_mask": (
        SLIP,
        "You treated keys of zeros as padding when there's no mask: then, every key may be "
        "attended to.",
        "np.sqrt(key.shape[-1]), mask)",
        "np.sqrt(key.shape[-1]), key.any(axis=-1)[..., None, :] if mask is None else mask)",
    ),
    "two_axes_taken_for_padding": (
        SLIP,
        _FEWER_AXES,
        "np.where(mask, logits, -1e9)",
        "np.where(mask[:, None, None] if mask.ndim == 2 else mask, logits, -1e9)",
    ),
    "mask_added": (
        IDEA,
        "The mask was added to the scores as ones and zeros: masked keys keep most of their "
        "weight.",
        "np.where(mask, logits, -1e9)",
        "logits + mask",
    ),
    "weights_lowered": (
        SLIP,
        "You replaced the weights of masked keys, after the softmax, by the large negative number: "
        "it's their scores that have to be low.",
        "np.where(mask, logits, -1e9)",
        "logits",
        "return {",
        "weights = weights if mask is None else np.where(mask, weights, -1e9); return {",
    ),
}

SOFTMAXES = {
    "softmax_with_a_mask_only": (
        PART,
        "Without a mask, the scores themselves became the weights: the softmax belongs after the "
        "condition, not inside it.",
        "softmax(logits)",
        "logits if mask is None else softmax(logits)",
    ),
    "divided_by_two": (
        SLIP,
        "You divided the scores by 2, the root of the d_k in the example: here d_k is the size of "
        "the keys' last axis.",
        "np.sqrt(key.shape[-1])",
        "2",
    ),
    "negative_scores_raised": (
        SLIP,
        "You set negative scores to 0: leave them as they are, because the softmax turns them "
        "into small weights.",
        "query @ transposed(key) / np.sqrt(key.shape[-1])",
        "np.maximum(query @ transposed(key) / np.sqrt(key.shape[-1]), 0)",
    ),
    "scaled_by_the_third_axis": (
        SLIP,
        "You scaled the scores by the size of a fixed axis: with heads in front, the third axis is "
        "that of the tokens. Count from the end.",
        "np.sqrt(key.shape[-1])",
        "np.sqrt(key.shape[2])",
    ),
    "scaled_by_the_second_axis": (
        SLIP,
        "You scaled the scores by the size of the queries' second axis: d_k is the size of the "
        "last axis, with or without heads in front.",
        "np.sqrt(key.shape[-1])",
        "np.sqrt(query.shape[1])",
    ),
    "scaled_by_the_keys_second_axis": (
        SLIP,
        "You scaled the scores by the size of the keys' second axis: d_k is the size of the last "
        "axis, with or without heads in front.",
        "np.sqrt(key.shape[-1])",
        "np.sqrt(key.shape[1])",
    ),
    "root_cut_to_a_whole_number": (
        SLIP,
        "You cut the root of d_k down to a whole number: divide by the root itself.",
        "np.sqrt(key.shape[-1])",
        "np.floor(np.sqrt(key.shape[-1]))",
    ),
    # Rounded up or to the nearest: the cases' roots are above 3.5.
    "root_rounded": (
        SLIP,
        "You rounded the root of d_k to a whole number: divide by the root itself.",
        "np.sqrt(key.shape[-1])",
        "np.ceil(np.sqrt(key.shape[-1]))",
    ),
    "divided_by_fourth_root": (
        SLIP,
        "You divided the scores by the fourth root of d_k: the formula takes the square root.",
        "np.sqrt(key.shape[-1])",
        "key.shape[-1]**0.25",
    ),
    "divided_by_logarithm": (
        SLIP,
        "You divided the scores by the logarithm of d_k: the formula takes its square root.",
        "np.sqrt(key.shape[-1])",
        "np.log(key.shape[-1])",
    ),
    "largest_of_the_batch_subtracted": (
        SLIP,
        "You subtracted the largest score of the whole batch: the exponentials of a sample whose "
        "scores are much lower are then all 0. Subtract each query's own largest score.",
        "softmax(logits)",
        "unshifted_softmax(logits - logits.max())",
    ),
    "largest_of_the_sample_subtracted": (
        SLIP,
        "You subtracted the largest score of the whole sample: the exponentials of a query whose "
        "scores are much lower are then all 0. Subtract each query's own largest score.",
        "softmax(logits)",
        "unshifted_softmax(logits - logits.max(axis=(-2, -1), keepdims=True))",
    ),
    "scores_clipped": (
        SLIP,
        "You cut large scores off at a bound, so that different scores get the same weight: use a "
        "softmax that is stable for scores of any size.",
        "query @ transposed(key) / np.sqrt(key.shape[-1])",
        "np.clip(query @ transposed(key) / np.sqrt(key.shape[-1]), -50, 50)",
    ),
}

for _name, (_cost, _hint, *_edits) in {**MASKS, **SOFTMAXES}.items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)


def _any_scores(holds: Callable[[np.ndarray], bool]) -> Contain:
    """Whether the scores of a case are of some kind."""

    def some_case(cases: Sequence[Case]) -> bool:
        return any(holds(_scores(case)) for case in cases)

    return some_case


def _has_zeros(case: Case) -> bool:
    """Whether a key of zeros may be attended to, and another key as well."""
    zeros, mask = ~case.inputs["key"].any(axis=-1), case.inputs["mask"]
    seen = np.broadcast_to(True if mask is None else mask, _scores(case).shape)
    return bool(((seen & zeros[..., None, :]).any(axis=-1) & (seen.sum(axis=-1) > 1)).any())


def _lowest(case: Case) -> float:
    """Of the largest scores that queries have, where the mask hides none, the lowest."""
    scores = np.where(case.inputs["mask"], _scores(case), -np.inf).max(axis=-1)
    return float(scores[np.isfinite(scores)].min())


def _scores(case: Case) -> np.ndarray:
    query, key = case.inputs["query"], case.inputs["key"]
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])


INPUT_CLASSES = {
    "no mask": lambda cases: any(case.inputs["mask"] is None for case in cases),
    "a batch without heads": lambda cases: any(case.inputs["key"].ndim == 3 for case in cases),
    "a batch with heads": lambda cases: any(case.inputs["key"].ndim == 4 for case in cases),
    "a mask for each sample": some_mask(lambda mask: mask.ndim == 3 and mask.shape[1] == 1),
    "a mask for each query": some_mask(lambda mask: mask.ndim == 2 and len(mask) > 1),
    "as many queries as keys, and a mask that is another one if they change places": some_mask(
        lambda mask: mask.shape[0] == mask.shape[-1] and not (mask == mask.T).all()
    ),
    "as many queries as samples, and a mask for each query": lambda cases: any(
        np.shape(case.inputs["mask"])[:-1] == case.inputs["query"].shape[:1] for case in cases
    ),
    "a mask for each sample and query, the same for all heads": some_mask(
        lambda mask: mask.ndim == 4 and mask.shape[1] == 1 < mask.shape[2]
    ),
    "padding before the keys that count": some_mask(
        lambda mask: bool((~mask[..., 0] & mask[..., -1]).any())
    ),
    "padding after the keys that count": some_mask(
        lambda mask: bool((mask[..., 0] & ~mask[..., -1]).any())
    ),
    "a masked key between others": some_mask(
        lambda mask: bool((mask[..., :-2] & ~mask[..., 1:-1] & mask[..., 2:]).any())
    ),
    "a sample of padding only": some_mask(lambda mask: not mask.any(axis=-1).all()),
    "a query all of whose scores are far below 0": lambda cases: any(
        case.inputs["mask"] is not None and _lowest(case) < -0.9 * FAR for case in cases
    ),
    "scores far above 0": _any_scores(lambda scores: scores.max() > 0.9 * FAR),
    "scores whose exponentials overflow": _any_scores(exponential_is(np.inf)),
    "scores whose exponentials overflow in float64, too": _any_scores(
        lambda scores: scores.max() > 710
    ),
    "a key of zeros without a mask": lambda cases: any(
        case.inputs["mask"] is None and _has_zeros(case) for case in cases
    ),
    "a key of zeros that isn't masked": lambda cases: any(
        case.inputs["mask"] is not None and _has_zeros(case) for case in cases
    ),
    "queries of one sample whose scores are far apart": _any_scores(
        lambda scores: np.ptp(scores.max(axis=-1), axis=-1).max() > 110
    ),
    "a sample whose exponentials are all 0": _any_scores(exponential_is(0.0)),
}
