"""More mistakes with the mask: by name what each costs, its hint, and the edits of the solution.
Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import SLIP

_OTHERS_VANISH = (
    "You applied the mask after the softmax and let the remaining weights sum to 1 again: beside a "
    "masked score that is far above them, they were already 0. Mask the scores."
)

MASKS = {
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
}
