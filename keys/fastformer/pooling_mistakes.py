"""More mistakes in additive pooling: by name what each costs, its hint, and the edits of the
solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import PART, SLIP

_OVERFLOW = (
    "The exponentials overflow for large scores and are all 0 for low ones: use a stable softmax, "
    "with the mask before it."
)
_OTHERS_VANISH = (
    "The mask is applied after the softmax, and the remaining weights are made to sum to 1 again: "
    "beside a padded token's score that is far above them, they were already 0. Mask the scores."
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
        "Without a mask, the scores themselves become the weights: the softmax belongs behind the "
        "condition, not inside it.",
        "softmax(logits)",
        "logits if mask is None else softmax(logits)",
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
        "You took a mask that has fewer axes than the scores for one of each text's padding, and "
        "added axes behind its first: a mask (T) belongs to the last axis, so leave broadcasting "
        "to the operation.",
        "np.where(mask, logits, -1e9)",
        "np.where(mask if mask.ndim == logits.ndim else mask[:, None], logits, -1e9)",
    ),
}
