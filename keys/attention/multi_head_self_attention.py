"""The key of ``attention.multi_head_self_attention``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import Key
from course.exercises.attention.multi_head_self_attention import EXERCISE
from keys.attention.common import (
    combine_heads,
    separate_heads,
    softmax,  # noqa: F401 - a mistake uses it
)
from keys.attention.scaled_dot_product_attention import KEY as ATTENTION
from keys.attention.scaled_dot_product_attention import scaled_dot_product_attention


def multi_head_self_attention(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    by_head: np.ndarray,
    mask: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """MultiHead(X) = Concat(head_1, ..., head_H)W^O, section 3.2.2, queries = keys = values = X.

    Args:
        inputs: X (batch, time, hidden_size).
        num_heads: H, a divisor of hidden_size.
        query_kernel, key_kernel, value_kernel, output_kernel: (hidden_size, hidden_size) each.
        by_head: what heads could give (B, H, T, d), to be combined.
        mask: padding mask (batch, time); True is a token, False padding.

    Returns:
        output: (batch, time, hidden_size); separated: the inputs by head (B, H, T, d);
        combined: by_head as (B, T, H·d); the projections with biases: none; the axes of one size
        only: none.
    """
    query, key, value = inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel
    query, key, value = (separate_heads(x, num_heads) for x in (query, key, value))
    by_key = None if mask is None else mask[:, None, None, :]
    heads = scaled_dot_product_attention(query, key, value, by_key)["output"]
    return {
        "output": combine_heads(heads) @ output_kernel,
        "separated": separate_heads(inputs, num_heads),
        "combined": combine_heads(by_head),
        "biases": [],
        "fixed_axes": [],
    }


KEY = Key(EXERCISE, multi_head_self_attention)

_INHERITED = "The attention inside the layer has a mistake from the previous task: "


def _inherit(name: str, hint: str, alone: bool = False) -> None:
    KEY.inherit(ATTENTION.find(name), hint, section=4, alone=alone)


for _name, _hint in {
    "no_scaling": _INHERITED + "the logits aren't scaled.",
    "divided_by_d_k": _INHERITED + "the logits are divided by the depth, not by its square root.",
    "softmax_over_queries": _INHERITED + "the softmax runs over the queries.",
    "no_softmax": _INHERITED + "the softmax is missing.",
    "unstable_softmax": _INHERITED + "the exponentials overflow.",
    "mask_ignored": "The padding mask doesn't reach the attention: padding still gets weight.",
    "mask_inverted": "The mask is read the other way round: True is a token, False is padding.",
    "mask_multiplied": _INHERITED + "masked logits become 0.",
    "mask_after_softmax": _INHERITED + "the mask comes after the softmax.",
    "minus_infinity": _INHERITED + "masked logits become minus infinity.",
}.items():
    _inherit(_name, _hint)

_inherit("scaled_after_softmax", _INHERITED + "the scaling comes after the softmax.", alone=True)
KEY.mistake(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    alone=True,
)
_inherit("divided_by_sum", _INHERITED + "the logits are divided by their sum.", alone=True)
_inherit("padding_raised", _INHERITED + "the logits of padding become the largest.", alone=True)
KEY.mistake(
    "mask_on_queries",
    "The mask is applied along the queries' axis: it's the keys that must not be attended to.",
    "mask[:, None, None, :]",
    "mask[:, None, :, None]",
)
KEY.mistake(
    "scaled_by_hidden_size",
    "The logits are scaled by the square root of hidden_size: inside a head, d_k is the depth "
    "of one head.",
    "np.sqrt(key.shape[-1])",
    "np.sqrt(key.shape[1] * key.shape[-1])",
)
KEY.mistake(
    "reshaped_straight",
    "You separated the heads with a single reshape, which mixes time steps and columns. "
    "Reshape the last axis into (heads, depth), then move the axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
)
KEY.mistake(
    "separated_by_reshape",
    "You separate the heads with a single reshape, which mixes time steps and columns, and "
    "combining can't undo that: reshape the last axis into (heads, depth), then move the axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
)
KEY.mistake(
    "combined_by_reshape",
    "You combined the heads with a single reshape: the axes must move back to (batch, time, "
    "heads, depth) before it.",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
)
KEY.mistake(
    "heads_not_moved",
    "You separated the heads but left their axis behind the time axis: the heads of one token "
    "attend to each other, and no token attends to another.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, num_heads, size // num_heads)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, heads, time * depth)",
    # No mask fits, and that a program fails says nothing of why.
    "np.where(mask, logits, -1e9)",
    "logits",
    alone=True,
)
KEY.mistake(
    "overlapping_heads",
    "Head h got the columns from h on: the heads overlap, and none of them sees the last "
    "columns. Where does each head begin?",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "np.stack([x[..., h : h + size // num_heads] for h in range(num_heads)], axis=1)",
    alone=True,
)
KEY.mistake(
    "combined_by_column",
    "Combining put the first column of every head first, then the second: the columns of one "
    "head must stay side by side.",
    "x.transpose(0, 2, 1, 3)",
    "x.transpose(0, 2, 3, 1)",
    alone=True,
)
KEY.mistake(
    "first_head_again",
    "Every head is a copy of the first one: does each pass of the loop take its own head?",
    "combine_heads(heads)",
    "combine_heads(np.repeat(heads[:, :1], num_heads, axis=1))",
    alone=True,
)
KEY.mistake(
    "interleaved_heads",
    "Each head took every H-th column: head h must see the columns h·depth to (h+1)·depth.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.transpose(0, 2, 3, 1).reshape(batch, time, heads * depth)",
)
KEY.mistake(
    "one_head",
    "There is one head over all columns: the projections were not separated into heads.",
    "separate_heads(x, num_heads) for",
    "separate_heads(x, 1) for",
)
KEY.mistake(
    "no_output_projection",
    "The heads were combined but not projected: output_linear is missing.",
    "combine_heads(heads) @ output_kernel",
    "combine_heads(heads)",
)
KEY.mistake(
    "output_activated",
    "The last projection has an activation, which cut off all negative numbers: it has to be "
    "linear.",
    "combine_heads(heads) @ output_kernel",
    "np.maximum(combine_heads(heads) @ output_kernel, 0)",
    alone=True,
)
KEY.mistake(
    "no_value_projection",
    "The values were not projected: value_linear is missing.",
    "inputs @ value_kernel",
    "inputs",
)
KEY.mistake(
    "keys_as_values",
    "Keys and values come from the same projection: each needs its own.",
    "inputs @ value_kernel",
    "inputs @ key_kernel",
)
KEY.mistake(
    "queries_as_keys",
    "Queries and keys come from the same projection: each needs its own.",
    "inputs @ key_kernel",
    "inputs @ query_kernel",
    alone=True,
)
KEY.mistake(
    "one_projection_after_another",
    "You computed the keys from the queries, and the values from the keys: all three "
    "projections start from the inputs.",
    "inputs @ key_kernel",
    "inputs @ query_kernel @ key_kernel",
    "inputs @ value_kernel",
    "inputs @ query_kernel @ key_kernel @ value_kernel",
    alone=True,
)
KEY.mistake(
    "residual_inside",
    "The inputs were added to the output: the residual connection belongs in the encoder block.",
    '"output": combine',
    '"output": inputs + combine',
)
KEY.mistake(
    "projections_with_bias",
    "The query, key and value projections have a bias, which dense layers have by default: the "
    "task asks for matrices only.",
    '"biases": []',
    '"biases": ["query_linear", "key_linear", "value_linear"]',
)
KEY.mistake(
    "fixed_axes",
    "The layer fails in a model that leaves batch and time open, where a tensor's shape "
    "contains None: which function gives the sizes at run time?",
    '"fixed_axes": []',
    '"fixed_axes": ["batch", "time"]',
)
