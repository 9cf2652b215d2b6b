"""More mistakes in the Fastformer layer: by name what each costs, its hint, and the edits of the
solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import IDEA, SLIP

ROLES = {
    "query_score_twice": (
        SLIP,
        "Both poolings take their scores from query_score: key_score is unused.",
        "products @ key_score_kernel",
        "products @ query_score_kernel",
    ),
    "scores_exchanged": (
        SLIP,
        "The two scoring layers are swapped: query_score belongs to the queries.",
        "queries @ query_score_kernel",
        "queries @ key_score_kernel",
        "products @ key_score_kernel",
        "products @ query_score_kernel",
    ),
    "queries_and_keys_exchanged": (
        SLIP,
        "Queries and keys are swapped: the queries are pooled first, and they're what is added.",
        "queries, keys =",
        "keys, queries =",
    ),
    "queries_scaled": (
        SLIP,
        "The queries themselves were scaled, and are too small wherever else they're used: only "
        "scores are divided by the square root.",
        "inputs @ query_kernel",
        "inputs @ query_kernel / np.sqrt(query_kernel.shape[1] / num_heads)",
        "queries @ query_score_kernel",
        "queries @ query_score_kernel * np.sqrt(queries.shape[-1] / num_heads)",
    ),
    "products_combined_by_reshape": (
        SLIP,
        "Before key_score and output_linear, the heads were combined with a single reshape: the "
        "axes must move back first.",
        "products @ key_score_kernel",
        "separate_heads(products, num_heads).reshape(keys.shape) @ key_score_kernel",
        "weighted_values @ output_kernel",
        "separate_heads(weighted_values, num_heads).reshape(keys.shape) @ output_kernel",
    ),
    "padding_set_to_zero": (
        IDEA,
        "Padded inputs became zeros, but the poolings have no mask: the score 0 still gets weight.",
        "queries, keys =",
        "inputs, mask = inputs if mask is None else inputs * mask[..., None], None\n"
        "    queries, keys =",
    ),
    "products_of_padding_set_to_zero": (
        IDEA,
        "In the second pooling, the products of padding became zeros, and there's no mask: the "
        "score 0 still gets weight.",
        "global_key = pool_by_head(products, products @ key_score_kernel, num_heads, mask)",
        "products = products if mask is None else products * mask[..., None]\n"
        "    global_key = pool_by_head(products, products @ key_score_kernel, num_heads, None)",
    ),
    "keys_for_queries": (
        SLIP,
        "The global query was pooled from the keys: it's pooled from the queries.",
        "pool_by_head(queries, queries @",
        "pool_by_head(keys, keys @",
    ),
    "dropped_while_training": (
        SLIP,
        "Your layer gives different numbers while training: the formula drops nothing, and the "
        "block has its own dropouts.",
        '"training": SAME',
        '"training": OTHER',
    ),
}

_OWN_SCORES = "each head should pool its own features by its own scores."

HEADS = {
    "only_query_scores_scaled": (
        SLIP,
        "The scores of the second pooling weren't scaled: both poolings divide by the same square "
        "root.",
        "products @ key_score_kernel",
        "products @ key_score_kernel * np.sqrt(products.shape[-1] / num_heads)",
    ),
    "scores_of_reshaped_heads": (
        SLIP,
        "The scores of the products come from heads that were reshaped straight to (B, T, H · d), "
        "which mixes tokens: give key_score the products themselves.",
        "products @ key_score_kernel",
        "heads_as_rows(products, num_heads) @ key_score_kernel",
    ),
    "features_of_heads_interleaved": (
        SLIP,
        "After the pooling, the features of the heads take turns, instead of head after head: they "
        "meet features of other heads. The pooled heads need no transpose before the reshape.",
        'combine_heads(pooled["output"][:, :, None, :])',
        'np.swapaxes(pooled["output"], 1, 2).reshape(len(x), 1, -1)',
    ),
    "scores_averaged_over_heads": (
        IDEA,
        "The heads' scores were averaged, so all heads use the same weights: " + _OWN_SCORES,
        "np.swapaxes(scores, 1, 2)",
        "np.swapaxes(scores, 1, 2).mean(axis=1, keepdims=True)",
    ),
    "scores_added_over_heads": (
        IDEA,
        "The heads' scores were added up, so all heads use the same weights: " + _OWN_SCORES,
        "np.swapaxes(scores, 1, 2)",
        "np.swapaxes(scores, 1, 2).sum(axis=1, keepdims=True)",
    ),
    "depth_of_the_inputs": (
        SLIP,
        "The size of a head was taken from the inputs' width, which may vary: it belongs to the "
        "layer.",
        "queries @ query_score_kernel",
        "queries @ query_score_kernel * np.sqrt(queries.shape[-1] / inputs.shape[-1])",
        "products @ key_score_kernel",
        "products @ key_score_kernel * np.sqrt(products.shape[-1] / inputs.shape[-1])",
    ),
    "power_without_brackets": (
        SLIP,
        "The scores were divided by d and then by 2: a power comes before a division, so the 1/2 "
        "needs brackets.",
        "/ np.sqrt(heads.shape[-1])",
        "/ heads.shape[-1] / 2",
    ),
    "masks_of_other_texts": (
        SLIP,
        "The masks were repeated for the heads and reshaped in another order than the scores, so a "
        "head gets the mask of another text: give the mask an axis for the heads.",
        "mask[:, None, :]",
        "np.tile(mask, (num_heads, 1)).reshape(len(mask), num_heads, -1)",
    ),
    "scaled_by_the_width_of_the_inputs": (
        SLIP,
        "The scores were scaled by the square root of the width of the inputs: it's the depth of "
        "a head that counts.",
        "np.sqrt(heads.shape[-1])",
        "1",
        "queries @ query_score_kernel",
        "queries @ query_score_kernel / np.sqrt(inputs.shape[-1])",
        "products @ key_score_kernel",
        "products @ key_score_kernel / np.sqrt(inputs.shape[-1])",
    ),
}

STATE = {
    "tokens_of_zeros_hidden": (
        SLIP,
        "Without a mask, your layer hides tokens that are all zeros: None means that all tokens "
        "may be pooled.",
        "queries, keys =",
        "mask = inputs.any(axis=-1) if mask is None else mask\n    queries, keys =",
    ),
    "mask_of_an_earlier_call": (
        SLIP,
        "Without a mask, your layer reuses the mask from an earlier call: None means that all "
        "tokens may be pooled, so keep nothing from call to call.",
        "queries, keys =",
        "mask = earlier if mask is None else mask\n    queries, keys =",
    ),
    "sizes_of_the_first_call_kept": (
        SLIP,
        "Your layer keeps the sizes of its first call: read them from the tensor in each call, "
        "because the next batch can be smaller or shorter.",
        '"fixed_axes": []',
        '"fixed_axes": [*KEPT]',
    ),
}
