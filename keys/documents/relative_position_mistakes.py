"""More mistakes in the layer with relative positions: by name what each costs, its hint, and the
edits of the solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import IDEA, PART, SLIP

_BRACKETS = "division comes before addition, so the sum needs brackets."
_OTHERS_VANISH = (
    "The mask comes after the softmax, and the other weights are rescaled: if a padded token's "
    "logit is far above theirs, they're already 0. Mask the logits."
)
_SCALED = "(dot_product + query_term + key_term) / np.sqrt(depth)"

TERMS = {
    "only_the_key_term_scaled": (
        SLIP,
        "Only k·a was scaled: " + _BRACKETS,
        _SCALED,
        "dot_product + query_term + key_term / np.sqrt(depth)",
    ),
    "only_the_query_term_scaled": (
        SLIP,
        "Only q·a was scaled: " + _BRACKETS,
        _SCALED,
        "dot_product + key_term + query_term / np.sqrt(depth)",
    ),
    "distances_of_max_length_tokens": (
        SLIP,
        "You look up the distances of max_length tokens, however many there are: a text may be "
        "longer, and its far distances are clipped.",
        "a = distance_embedding[",
        "if time > max_length:\n        raise ValueError\n    a = distance_embedding[",
    ),
    "distances_times_distances": (
        SLIP,
        "There's a fourth term, a·a: multiply out the brackets, and compare with the three terms "
        "of the task.",
        "dot_product + query_term + key_term",
        'dot_product + query_term + key_term + np.einsum("ijd,ijd->ij", a, a)',
    ),
    "distances_added_up": (
        IDEA,
        "You added up the entries of each distance's vector: in the terms q·a and k·a, they're "
        "multiplied by the query or the key first.",
        "dot_product + query_term + key_term",
        "dot_product + a.sum(axis=-1)",
    ),
    "query_term_reversed": (
        SLIP,
        "The term q·a used the distance from the key to the query: all terms of a logit should use "
        "the same distance.",
        "bhid,ijd->bhij",
        "bhid,jid->bhij",
    ),
    "query_term_transposed": (
        SLIP,
        "The term q·a has its last two axes swapped: queries come before keys.",
        "bhid,ijd->bhij",
        "bhid,ijd->bhji",
    ),
    "key_term_transposed": (
        SLIP,
        "The term k·a has its last two axes swapped: queries come before keys.",
        "bhjd,ijd->bhij",
        "bhjd,ijd->bhji",
    ),
    "query_term_reshaped": (
        SLIP,
        "The term q·a was given its shape by a reshape, which mixes queries, samples and heads: to "
        "bring axes into another order, transpose them.",
        'np.einsum("bhid,ijd->bhij", query, a)',
        'np.einsum("bhid,ijd->ibhj", query, a).reshape(dot_product.shape)',
    ),
    "distance_terms_reshaped": (
        SLIP,
        "The terms with distances were given their shape by a reshape, which mixes queries, "
        "samples and heads: to bring axes into another order, transpose them.",
        'np.einsum("bhid,ijd->bhij", query, a)',
        'np.einsum("bhid,ijd->ibhj", query, a).reshape(dot_product.shape)',
        'np.einsum("bhjd,ijd->bhij", key, a)',
        'np.einsum("bhjd,ijd->jbhi", key, a).reshape(dot_product.shape)',
    ),
    "queries_and_keys_swapped": (
        SLIP,
        "Queries and keys changed places: each row of the logits belongs to a query, each column "
        "to a key. Which one do you give to logits first?",
        "for x in (query, key, value)",
        "for x in (key, query, value)",
    ),
    "logits_transposed": (
        SLIP,
        "The logits have their last two axes swapped: queries come before keys.",
        "masked(logits, by_key)",
        "masked(transposed(logits), by_key)",
    ),
    "dot_product_transposed": (
        SLIP,
        "The term q·k has its last two axes swapped: queries come before keys.",
        "query @ transposed(key)",
        "transposed(query @ transposed(key))",
    ),
    "queries_in_the_key_term": (
        SLIP,
        "The term k·a has the letters of the keys, but you gave it the queries.",
        'bhjd,ijd->bhij", key, a',
        'bhjd,ijd->bhij", query, a',
    ),
    "power_without_brackets": (
        SLIP,
        "The logits were divided by d and then by 2: a power comes before a division, so the 1/2 "
        "needs brackets.",
        "np.sqrt(depth)",
        "(depth * 2)",
    ),
    "keys_reshaped": (
        SLIP,
        "The keys were reshaped to (batch, heads, depth, time): this mixes tokens and features. To "
        "swap two axes, transpose them.",
        "query @ transposed(key)",
        "query @ key.reshape(*key.shape[:2], depth, time)",
    ),
    "length_for_max_length": (
        SLIP,
        "You used the length of the text as max_length: the number of rows in the table doesn't "
        "depend on the text.",
        "(time, time, max_length)",
        "(time, time, time)",
    ),
    "shorter_length_for_max_length": (
        SLIP,
        "You used the length of the text as max_length where it's shorter: a distance should have "
        "the same row in every text.",
        "(time, time, max_length)",
        "(time, time, min(time, max_length))",
    ),
    "length_of_the_first_text": (
        SLIP,
        "Your layer keeps the index of its first text, or something else that depends on its "
        "length: later texts may be longer.",
        "(time, time, max_length)",
        # Only in the case of another length than the layer has seen before.
        "(*[time - 2 * (time == max_length)] * 2, max_length)",
    ),
    "multiplied_by_the_root": (
        SLIP,
        "The logits were multiplied by the square root of the depth: they should be divided by it.",
        " / np.sqrt(depth)",
        " * np.sqrt(depth)",
    ),
    "scaled_by_length": (
        SLIP,
        "The logits were scaled by the square root of the number of tokens: d is the depth of a "
        "head, the size of the last axis.",
        "np.sqrt(depth)",
        "np.sqrt(time)",
    ),
    "weights_of_logits": (
        SLIP,
        "The output is right, but last_weights aren't the weights: keep what comes out of mask "
        "and softmax.",
        '"weights": weights',
        '"weights": masked(logits, by_key)',
    ),
    "weights_before_the_mask": (
        SLIP,
        "The output is right, but last_weights were computed without the mask: keep the weights "
        "that blend the values.",
        '"weights": weights',
        '"weights": softmax(logits)',
    ),
}

MASKS = {
    "mask_not_low_enough": (
        SLIP,
        "The number that you give to padding is one that real logits can reach: it should be "
        "far smaller.",
        "-1e9",
        "-100.0",
    ),
    "barely_lowered": (
        SLIP,
        "The number that you added to the logits of padding isn't low enough: a high one still "
        "ends up above the others. Choose a number that outweighs all logits.",
        "np.where(mask, logits, -1e9)",
        "logits - 1e4 * ~mask",
    ),
    "renormalised_after_softmax": (
        SLIP,
        _OTHERS_VANISH,
        "np.where(mask, logits, -1e9)",
        "logits",
        "heads = combine_heads(",
        "weights = weights if mask is None else weights * by_key / ((weights * by_key).sum("
        "axis=-1, keepdims=True) + 1e-9)\n    heads = combine_heads(",
    ),
    "renormalised_to_nan": (
        SLIP,
        _OTHERS_VANISH,
        "np.where(mask, logits, -1e9)",
        "logits",
        "heads = combine_heads(",
        "weights = weights if mask is None else weights * by_key / (weights * by_key).sum(axis=-1, "
        "keepdims=True)\n    heads = combine_heads(",
    ),
    "padding_alone_attended": (
        SLIP,
        "The large number that you give to padding is positive, so padding gets all the weight.",
        "-1e9",
        "1e9",
    ),
    "mask_added": (
        IDEA,
        "The mask was added to the logits as 1 and 0: this hardly changes what the softmax gives "
        "to padding.",
        "np.where(mask, logits, -1e9)",
        "logits + mask",
    ),
    "mask_of_the_first_sample": (
        SLIP,
        "The mask of the first sample is used for all: each sample has a mask of its own.",
        "mask[:, None, None, :]",
        "mask[:1, None, None, :]",
    ),
    "causal": (
        IDEA,
        "Each token only sees itself and those before it: here, a token may look at those after "
        "it, too.",
        "None if mask is None else mask[:, None, None, :]",
        "np.tril(np.ones((time, time), bool)) & (mask is None or mask[:, None, None, :])",
    ),
    "mask_without_axes": (
        SLIP,
        "The mask doesn't fit the logits: it's (batch, keys), and they are (batch, heads, queries, "
        "keys). Which axes does it lack?",
        "mask[:, None, None, :]",
        "mask[:, None, :]",
    ),
    "values_of_padding_set_to_zero": (
        IDEA,
        "The values of padding become 0, but its logits have a share in the softmax: mask the "
        "logits.",
        "np.where(mask, logits, -1e9)",
        "logits",
        "weights @ value",
        "weights @ (value if mask is None else value * mask[:, None, :, None])",
    ),
    "minus_infinity_for_queries_too": (
        SLIP,
        "Padding is masked as a query as well, with minus infinity: no key is left to its rows, so "
        "the softmax divides 0 by 0. Mask the keys alone.",
        "masked(logits, by_key)",
        "(logits if mask is None else np.where(mask[:, None, :, None] & by_key, logits, -np.inf))",
    ),
}

HEADS = {
    "separated_by_reshape": (
        SLIP,
        "The heads were separated by a single reshape: first (batch, time, heads, depth), then the "
        "axes change places.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
        "x.reshape(batch, num_heads, time, size // num_heads)",
    ),
    "separated_and_combined_by_reshape": (
        SLIP,
        "The heads were separated and combined by a single reshape each, which mixes tokens and "
        "features: the axes have to change places, too.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
        "x.reshape(batch, num_heads, time, size // num_heads)",
        "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
        "x.reshape(batch, time, heads * depth)",
    ),
    "queries_as_keys": (
        SLIP,
        "Queries and keys are the same: each has a layer of its own.",
        "inputs @ key_kernel",
        "inputs @ query_kernel",
    ),
    "keys_as_queries": (
        SLIP,
        "The layer of the keys made the queries as well: each has a layer of its own.",
        "inputs @ query_kernel",
        "inputs @ key_kernel",
    ),
    "queries_as_values": (
        SLIP,
        "The weights were applied to the queries: the values have a layer of their own.",
        "weights @ value",
        "weights @ query",
    ),
    "weights_transposed": (
        SLIP,
        "The weights were transposed before they blend the values: each row holds the weights of "
        "one query.",
        "weights @ value",
        "transposed(weights) @ value",
    ),
    "output_not_blended": (
        PART,
        "The values were not blended: the weights are computed, but the output doesn't use them.",
        "weights @ value",
        "value",
    ),
}

OTHERS = {
    "softmax_with_a_mask_only": (
        PART,
        "Without a mask, the logits themselves became the weights: the softmax belongs after the "
        "condition, not inside it.",
        "softmax(masked(logits, by_key))",
        "logits if by_key is None else softmax(masked(logits, by_key))",
    ),
    "softmax_over_heads": (
        SLIP,
        "The softmax runs over the heads: in each head, the weights of the keys must sum to 1.",
        "softmax(masked(logits, by_key))",
        "softmax(masked(logits, by_key), axis=1)",
    ),
    "dropped_while_training": (
        SLIP,
        "Your layer gives different numbers while training: the task drops nothing.",
        "SAME} if trains",
        "OTHER} if trains",
    ),
    "no_gradient": (
        SLIP,
        "The numbers are right, but no gradient reaches some of the weights, such as the vectors "
        "of the distances: they never learn.",
        "SAME} if trains",
        "FROZEN} if trains",
    ),
    "no_output_bias": (
        SLIP,
        "The output lacks the bias of output_linear: use the layer itself, as it's made in the "
        "notebook.",
        " + output_bias",
        "",
    ),
    "zeros_taken_for_padding": (
        SLIP,
        "You treated tokens of zeros as padding: only the mask says what is.",
        "None if mask is None else mask[:, None, None, :]",
        "(inputs.any(axis=-1) if mask is None else mask)[:, None, None, :]",
    ),
}
