"""More mistakes with the mask, and with scores and weights: by name what each costs, its hint, and
the edits of the solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import IDEA, PART, SLIP

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
