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
