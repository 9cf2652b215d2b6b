"""What solutions about fastformer share."""

from __future__ import annotations

import numpy as np

from keys.attention.common import (
    combine_heads,
    masked,  # noqa: F401 - a mistake uses it
    separate_heads,
    softmax,  # noqa: F401 - a mistake uses it
)
from keys.fastformer.additive_pooling import additive_pooling


def pool_by_head(
    x: np.ndarray, scores: np.ndarray, num_heads: int, mask: np.ndarray | None = None
) -> np.ndarray:
    """The pooled tokens (B, 1, H·d): each head's features by its own scores, over √d.

    Args:
        x: tokens (B, T, H·d).
        scores: (B, T, H).
        num_heads: H.
        mask: padding mask (B, T).
    """
    heads = separate_heads(x, num_heads)
    by_head = np.swapaxes(scores, 1, 2) / np.sqrt(heads.shape[-1])
    pooled = additive_pooling(heads, by_head, None if mask is None else mask[:, None, :])
    return combine_heads(pooled["output"][:, :, None, :])


# --- mistakes ------------------------------------------------------------------------------------

SAID_OF_BOTH = {
    "mask_ignored": "they don't use the mask, so padding gets weight.",
    "mask_inverted": "they read the mask the wrong way round; True is a token.",
    "mask_multiplied": "the scores of padding become 0, but the softmax still gives them some "
    "weight.",
    "mask_after_softmax": "the mask is applied after the softmax, so the remaining weights no "
    "longer sum to 1.",
}
"""Mistakes of ``additive_pooling`` in both poolings of a layer; others can be made at once."""

SAID_OF_BOTH_ALONE = {
    "weights_all_one": "all weights are 1, because the softmax runs over an axis of size 1.",
    "softmax_over_batch": "the softmax runs over the batch.",
    "no_softmax": "the scores themselves are used as weights, without a softmax.",
    "sigmoid": "a sigmoid weights each token on its own, so the weights don't sum to 1.",
    "plain_mean": "they don't use the scores and just return plain means.",
    "signs_exchanged": "a higher score means less weight.",
    "unstable_softmax": "the exponentials overflow for large scores.",
    "mask_added": "the mask is added to the scores as ones and zeros.",
    "minus_infinity": "the scores of padding become minus infinity, so a sample that is all "
    "padding has nothing left to divide by.",
    "averaged": "the weighted tokens are averaged, although the weights already sum to 1.",
    "mask_of_minus_hundred": "the score of padding isn't far enough below those of real tokens.",
    "softmax_with_a_mask_only": "the softmax is only computed where there's a mask.",
    "squeezed": "they drop every axis of size 1, including a batch of one.",
    "tokens_counted": "they count the tokens that aren't padding, and pool as many from the start.",
}
"""The same of mistakes that are looked for alone."""

SAID_OF_THE_LAYER = {
    "no_scaling": "the scores aren't scaled.",
    "scaled_by_hidden_size": "the scores are scaled by the square root of the total number of "
    "features.",
    "softmax_over_heads": "the softmax runs over the heads.",
    "weights_all_one": "all weights of a pooling are 1.",
    "mask_in_query_pooling_only": "padding gets into the global key.",
    "mask_multiplied": "its masks set the scores of padding to 0.",
    "mask_after_softmax": "its masks are applied after the softmax.",
    "first_head_for_all": "all heads use the same weights.",
    "scores_averaged_over_heads": "the heads' scores are averaged.",
    "global_key_without_the_query": "the global query has no effect.",
    "sums_for_products": "the global query and the global key are added, not multiplied.",
    "no_queries_added": "the queries aren't added.",
    "queries_projected": "the queries are added before output_linear.",
    "inputs_added": "the inputs are added instead of the queries.",
    "mask_in_key_pooling_only": "padding gets into the global query.",
    "mask_added": "its masks are added to the scores as ones and zeros.",
    "divided_by_depth": "the scores are divided by the depth, or by its square root twice.",
    "softmax_over_batch": "the softmax runs over the batch.",
    "no_softmax": "the scores themselves are used as weights.",
    "sigmoid": "a sigmoid weights each token on its own.",
    "plain_mean": "the scores aren't used.",
    "averaged": "the weighted tokens are averaged.",
    "heads_interleaved": "the heads' features are interleaved.",
    "heads_reshaped": "the heads are separated by a reshape alone.",
    "key_scores_of_the_keys": "the second pooling scores the keys.",
    "keys_pooled": "the second pooling uses the keys.",
    "global_query_for_key": "the values are combined with the global query.",
    "inputs_added_as_well": "the inputs are added as well as the queries.",
    "no_output_linear": "output_linear isn't used.",
}
"""Mistakes of ``fastformer`` in all layers of a model."""
