"""More mistakes in multi-head self-attention: by name what each costs, its hint, and the edits of
the solution. Not looked for in pairs."""

from __future__ import annotations

from autograder.judging.keys import IDEA, PART, SLIP

_OWN = "come from the same projection: each needs its own."

PROJECTIONS = {
    "queries_as_values": (
        SLIP,
        "Queries and values " + _OWN,
        "inputs @ value_kernel",
        "inputs @ query_kernel",
    ),
    "keys_as_queries": (
        SLIP,
        "Queries and keys " + _OWN,
        "inputs @ query_kernel",
        "inputs @ key_kernel",
    ),
    "values_as_queries": (
        SLIP,
        "Queries and values " + _OWN,
        "inputs @ query_kernel",
        "inputs @ value_kernel",
    ),
    "values_as_keys": (
        SLIP,
        "Keys and values " + _OWN,
        "inputs @ key_kernel",
        "inputs @ value_kernel",
    ),
    "one_projection_for_all": (
        SLIP,
        "Queries, keys and values all come from query_linear: each needs a projection of its own.",
        "inputs @ key_kernel",
        "inputs @ query_kernel",
        "inputs @ value_kernel",
        "inputs @ query_kernel",
    ),
    "no_query_projection": (
        PART,
        "query_linear is missing: the inputs themselves were used.",
        "inputs @ query_kernel",
        "inputs",
    ),
    "no_key_projection": (
        PART,
        "key_linear is missing: the inputs themselves were used.",
        "inputs @ key_kernel",
        "inputs",
    ),
    "no_projections": (
        PART,
        "Queries, keys and values are the inputs themselves: the three projections are missing.",
        "inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel",
        "inputs, inputs, inputs",
    ),
    "projections_activated": (
        SLIP,
        "The query, key and value projections have an activation, which cut off all negative "
        "numbers: they have to be linear.",
        "separate_heads(x, num_heads) for",
        "separate_heads(np.maximum(x, 0), num_heads) for",
    ),
}

_BYPASSED = '"unused": []', '"unused": ["methods"]'

HEADS = {
    "one_head": (
        PART,
        "There is one head over all columns: the projections were not separated into heads.",
        "separate_heads(x, num_heads) for",
        "separate_heads(x, 1) for",
        *_BYPASSED,
    ),
    "scaled_by_number_of_heads": (
        SLIP,
        "The scores are scaled by the square root of the number of heads: d_k is the depth of one "
        "head.",
        "np.sqrt(key.shape[-1])",
        "np.sqrt(key.shape[1])",
    ),
    "heads_and_depth_swapped": (
        SLIP,
        "The number of heads and the number of each head's columns are swapped: the last axis is "
        "split into (heads, depth), in this order.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
        "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 2, 1, 3)",
    ),
    "combined_in_call_by_reshape": (
        SLIP,
        "In `call`, you reshape what the heads found straight to (batch, time, hidden_size), which "
        "mixes heads and tokens: `self.combine_heads` moves the axes first.",
        "combine_heads(heads)",
        "heads.reshape(len(inputs), inputs.shape[1], -1)",
        *_BYPASSED,
    ),
    "separated_in_call_by_reshape": (
        SLIP,
        "In `call`, you reshape queries, keys and values straight to (batch, heads, time, depth), "
        "which mixes tokens and columns: `self.separate_heads` does it in two steps.",
        "separate_heads(x, num_heads) for",
        "x.reshape(len(x), num_heads, x.shape[1], -1) for",
        *_BYPASSED,
    ),
    "separated_by_column": (
        SLIP,
        "Head h gets every H-th column, while combining puts the columns of each head side by "
        "side: head 1 must see the first columns, head 2 the next ones.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
        "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)",
    ),
}

BIASES = {
    "no_output_bias": (
        SLIP,
        "The output lacks the bias of output_linear, which a dense layer has unless you say "
        "otherwise: only queries, keys and values are projected without one.",
        " + output_bias",
        "",
    ),
    "biases_exchanged": (
        SLIP,
        "The query, key and value projections have a bias and output_linear has none: the task "
        "asks for the opposite.",
        " + output_bias",
        "",
        '"biases": []',
        '"biases": ["query_linear", "key_linear", "value_linear"]',
    ),
}

_ONLY_THE_MASK = "only the mask says what padding is, and without one there's none."

MASKS = {
    "mask_of_the_first_sample": (
        SLIP,
        "Every sample gets the mask of the first one: each has padding of its own.",
        "mask[:, None, None, :]",
        "mask[:1, None, None, :]",
    ),
    "samples_mixed_up_in_the_mask": (
        SLIP,
        "You repeated the mask for the heads in an order that gives samples each other's masks: "
        "give it an axis of size 1 for the heads, and broadcasting does the rest.",
        "mask[:, None, None, :]",
        "np.tile(mask, (num_heads, 1)).reshape(-1, num_heads, 1, mask.shape[1])",
    ),
    "zeros_taken_for_padding": (
        SLIP,
        "You treated tokens of zeros as padding when there's no mask: " + _ONLY_THE_MASK,
        "None if mask is None else mask[:, None, None, :]",
        "(inputs.any(axis=-1) if mask is None else mask)[:, None, None, :]",
    ),
    "zeros_always_taken_for_padding": (
        SLIP,
        "You treated tokens of zeros as padding: " + _ONLY_THE_MASK,
        "None if mask is None else mask[:, None, None, :]",
        "(inputs.any(axis=-1) & (True if mask is None else mask))[:, None, None, :]",
    ),
    "sizes_of_the_first_call_kept": (
        SLIP,
        "Your layer keeps the sizes of its first call: read them from the tensor in each call, "
        "because the next batch can be smaller or shorter.",
        '"fixed_axes": []',
        '"fixed_axes": [*KEPT]',
    ),
    "padding_set_to_zero": (
        IDEA,
        "You set the inputs of padding to zero, but a score of 0 still gets a weight: pass the "
        "mask on to the attention.",
        "inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel",
        "*(inputs * (1 if mask is None else mask[..., None]) @ kernel"
        " for kernel in (query_kernel, key_kernel, value_kernel)),",
        "None if mask is None else mask[:, None, None, :]",
        "None",
        '["mask"] if ignored else []',
        "[]",
    ),
}
