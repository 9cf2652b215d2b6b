"""What solutions about fastformer share."""

from __future__ import annotations

import numpy as np

from keys.attention.common import (
    combine_heads,
    masked,
    separate_heads,
    softmax,
)
from keys.fastformer.additive_pooling import additive_pooling
from keys.transformer.mistaken import gelu


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


def network(x: np.ndarray, w: dict) -> np.ndarray:
    """The block's feed-forward network: gelu(xW₁ + b₁)W₂ + b₂."""
    hidden = x @ w["expand_kernel"] + w["expand_bias"]
    return gelu(hidden) @ w["contract_kernel"] + w["contract_bias"]


def attention_pooled(x: np.ndarray, mask: np.ndarray, w: dict) -> np.ndarray:
    """One vector for each text (B, d), pooled by the scores v·tanh(xW + b) of its tokens."""
    hidden = np.tanh(x @ w["pool_kernel"] + w["pool_bias"])
    scores = (hidden @ w["pool_score_kernel"] + w["pool_score_bias"])[..., 0]
    (pooled,) = additive_pooling(x, scores, mask).values()
    return pooled


def heads_as_rows(x: np.ndarray, num_heads: int) -> np.ndarray:
    """Tokens (B, T, H·d) whose heads (B, H, T, d) were reshaped, not put side by side again: a part
    of a mistake."""
    return separate_heads(x, num_heads).reshape(x.shape)


# --- mistakes ------------------------------------------------------------------------------------

SAID_OF_BOTH = {
    "mask_ignored": "they don't use the mask, so padding gets weight.",
    "mask_inverted": "they read the mask the wrong way round; True is a token.",
    "mask_multiplied": "the scores of padding become 0, but the softmax still gives them some "
    "weight.",
    "mask_after_softmax": "the scores of padding have a share in the softmax, and only its weights "
    "or vectors become 0, so the weights of the others no longer sum to 1.",
}
"""Mistakes of ``additive_pooling`` in both poolings of a layer; others can be made at once."""

SAID_OF_BOTH_UNPAIRED = {
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
"""The same of mistakes that no answer sheet has beside others."""

SAID_OF_THE_LAYER = {
    "no_scaling": "the scores aren't scaled.",
    "scaled_by_hidden_size": "the scores are scaled by the square root of the total number of "
    "features.",
    "softmax_over_heads": "the softmax runs over the heads.",
    "weights_all_one": "all weights of a pooling are 1.",
    "mask_in_query_pooling_only": "padding gets into the global key.",
    "mask_multiplied": "its masks set the scores of padding to 0.",
    "mask_after_softmax": "padding has a share in its softmaxes.",
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
    "global_query_for_key": "the queries are combined with the global query.",
    "keys_for_values": "the global key is combined with the keys.",
    "values_of_their_own": "what's added to the queries is 0 with our weights.",
    "inputs_added_as_well": "the inputs are added as well as the queries.",
    "no_output_linear": "output_linear isn't used.",
}
"""Mistakes of ``fastformer`` in a block, and in all blocks of a model."""

SAID_OF_THE_BLOCK = {
    "no_first_residual": "the blocks don't add their inputs to what Fastformer gives.",
    "no_second_residual": "the blocks don't add the network's input to its output.",
    "no_residuals": "the blocks have no residual connection.",
    "no_first_norm": "the blocks' first norm is missing.",
    "no_second_norm": "the blocks' second norm is missing.",
    "no_norms": "the blocks have no norms.",
    "pre_norm": "the blocks' norms come before their parts.",
    "norm_before_the_sum": "the blocks' norms come before their sums.",
    "inputs_added_twice": "the blocks' second sum adds their inputs.",
    "network_reads_the_inputs": "the blocks' network reads their inputs.",
    "no_fastformer": "the blocks never call Fastformer.",
    "no_activation": "the blocks' network has no activation.",
}
"""Mistakes of ``fastformer_block`` in all blocks of a model."""

DROPS_WITH_THE_BLOCK = {
    "no_first_residual": "ELSEWHERE",
    "no_second_residual": "ELSEWHERE",
    "no_residuals": "ELSEWHERE",
    "no_first_norm": "ELSEWHERE",
    "no_second_norm": "ELSEWHERE",
    "no_norms": "ELSEWHERE",
    "pre_norm": "ELSEWHERE",
    "norm_before_the_sum": "OTHER_RATE_IN_BLOCKS",
    "inputs_added_twice": "ELSEWHERE",
}
"""What such a model seems to drop: with these, a block's signals aren't signs."""
