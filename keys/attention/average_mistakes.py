"""More mistakes in averaged attention: by name what each costs, its hint, and the edits of the
solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import PART, SLIP

WEIGHTS = {
    "exponentials_not_divided": (
        PART,
        "You didn't divide the exponentials by their sum: each sample's weights must sum to 1.",
        "softmax(scores, axis=1)",
        "np.exp(scores.astype(np.float32))",
    ),
    "nan_replaced": (
        SLIP,
        "You replaced what isn't a number by 0, so that the output is finite, but not right: the "
        "exponentials still overflow. Use a stable softmax.",
        "softmax(scores, axis=1)",
        "np.nan_to_num(unshifted_softmax(scores, axis=1))",
    ),
    "softmax_twice": (
        SLIP,
        "You applied the softmax twice, which makes the weights almost equal.",
        "softmax(scores, axis=1)",
        "softmax(softmax(scores, axis=1), axis=1)",
    ),
}
