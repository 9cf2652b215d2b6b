"""More mistakes in additive pooling: by name what each costs, its hint, and the edits of the
solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import PART, SLIP

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
