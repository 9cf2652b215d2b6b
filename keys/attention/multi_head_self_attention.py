"""The key of ``attention.multi_head_self_attention``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.attention.multi_head_self_attention import EXERCISE
from course.exercises.attention.open_axes import KEPT
from course.exercises.training_mode import OTHER, SAME
from keys.attention.combine_heads import combine_heads as combining
from keys.attention.common import (
    combine_heads,
    separate_heads,
)
from keys.attention.scaled_dot_product_attention import KEY as ATTENTION
from keys.attention.scaled_dot_product_attention import scaled_dot_product_attention
from keys.attention.separate_heads import separate_heads as separating
from keys.input_classes import some_mask
from selfcheck.exercise import Case


def multi_head_self_attention(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    output_bias: np.ndarray,
    by_head: np.ndarray,
    mask: np.ndarray | None = None,
    earlier: np.ndarray | None = None,
    trains: bool = False,
) -> dict[str, np.ndarray]:
    """MultiHead(X) = Concat(head_1, ..., head_H)W^O + b^O, section 3.2.2, queries = keys = values
    = X, with the bias that a dense layer has.

    Args:
        inputs: X (batch, time, hidden_size).
        num_heads: H, a divisor of hidden_size.
        query_kernel, key_kernel, value_kernel, output_kernel: (hidden_size, hidden_size) each.
        output_bias: (hidden_size,).
        by_head: what heads could give (B, H, T, d), to be combined.
        mask: padding mask (batch, time); True is a token, False padding.
        earlier: the mask of the call before, which must not matter.
        trains: whether open axes and training are looked at.

    Returns:
        output: (batch, time, hidden_size); separated: the inputs by head (B, H, T, d);
        combined: by_head as (B, T, H·d); the projections with biases: none; whether the layer has
        methods that it doesn't use: no; ignored: the mask, where it makes no difference; if looked
        at, the axes of one size only: none, and training: what comes out in training.
    """
    query, key, value = inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel
    query, key, value = (separate_heads(x, num_heads) for x in (query, key, value))
    by_key = None if mask is None else mask[:, None, None, :]
    heads = scaled_dot_product_attention(query, key, value, by_key)["output"]
    every = np.ones((1, 1, 1, inputs.shape[1]), bool)
    ignored = mask is not None and np.array_equal(
        heads, scaled_dot_product_attention(query, key, value, every)["output"]
    )
    # Of the two tasks before: what they lack, a layer lacks that calls them.
    stuck = separating(inputs, num_heads, True)["fixed_axes"]
    stuck += combining(by_head, True)["fixed_axes"]
    return {
        "output": combine_heads(heads) @ output_kernel + output_bias,
        "separated": separate_heads(inputs, num_heads),
        "combined": combine_heads(by_head),
        "biases": [],
        "unused": [],
        "ignored": ["mask"] if ignored else [],
        **({"fixed_axes": [], "training": SAME} if trains else {}),
        **({"fixed_axes": stuck[:2]} if trains and stuck else {}),
    }


KEY = Key(EXERCISE, multi_head_self_attention, mutant_sample=24)


_INHERITED = "Here or in the previous task, "


def _inherit(name: str, hint: str, paired: bool = False) -> None:
    KEY.inherit(ATTENTION.find(name), hint, section=4, paired=paired)


for _name, _hint in {
    "no_scaling": _INHERITED + "the scores aren't scaled.",
    "mask_ignored": "Padding still gets weight: does the mask of this call reach the attention?",
    "mask_inverted": "The mask is read the other way round: True is a token, False is padding.",
    "mask_multiplied": _INHERITED + "masked scores become 0.",
    "mask_after_softmax": _INHERITED
    + "masked keys have a share in the softmax, and only their weights or values become 0.",
}.items():
    _inherit(_name, _hint, paired=True)

_inherit("softmax_over_queries", _INHERITED + "the softmax runs over the queries.", paired=True)

# Made in the earlier task, whose check shows them: not looked for beside mistakes of this one.
for _name, _hint in {
    "no_softmax": "the softmax is missing.",
    "unstable_softmax": "the exponentials overflow.",
    "minus_infinity": "a sample that's all padding gives NaN.",
    "divided_by_d_k": "the scores are divided by the depth, not by its square root.",
    "scaled_after_softmax": "the scaling comes after the softmax.",
    "unstable_softmax_with_epsilon": "the exponentials overflow.",
    "softmax_twice": "the softmax is applied twice.",
    "keys_reshaped": "the keys are reshaped, not transposed.",
    "divided_by_sum": "the scores are divided by their sum.",
    "padding_raised": "the scores of padding become the largest.",
    "mask_added": "the mask is added to the scores as ones and zeros.",
    "softmax_with_a_mask_only": "the softmax is only computed where there's a mask.",
}.items():
    _inherit(_name, _INHERITED + _hint)

KEY.mistake(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "mask_always_expected",
    "The layer fails when it's called without a mask: what is `mask` then?",
    "None if mask is None else mask[:, None, None, :]",
    "mask[:, None, None, :]",
    cost=SLIP,
    failure=r"NoneType|None values|\(None\)|argument:? '?mask",
)
_inherit(
    "mask_as_condition",
    "The layer fails when it gets a mask: an array is neither true nor false. What "
    "do you want to know about `mask` there?",
)
_inherit(
    "mask_not_cast",
    "The layer fails when it gets a mask, because it calculates with True and False: turn them "
    "into numbers first.",
)
KEY.mistake(
    "mask_not_taken",
    "The layer fails when it gets a mask: `call` has to take it, and give it to the attention.",
    "mask[:, None, None, :]",
    # An index that no array has, because a program without the argument fails here.
    'mask["no such argument"]',
    cost=PART,
    failure=r"unexpected keyword argument",
)
KEY.mistake(
    "mask_does_not_fit",
    "The layer fails when it gets a mask, which doesn't have the axes of the scores (B, H, T, T): "
    "where do its own two axes belong, and which have to be added?",
    "mask[:, None, None, :]",
    "mask[:, None, :]",
    cost=SLIP,
    failure=r"broadcast|[Ii]ncompatible shapes|[Dd]imensions? must",
)
KEY.mistake(
    "mask_on_queries",
    "The mask is applied along the queries' axis: it's the keys that must not be attended to.",
    "mask[:, None, None, :]",
    "mask[:, None, :, None]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "scaled_by_hidden_size",
    "The scores are scaled by the square root of hidden_size: inside a head, d_k is the depth "
    "of one head.",
    "np.sqrt(key.shape[-1])",
    "np.sqrt(key.shape[1] * key.shape[-1])",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "reshaped_straight",
    "You separated the heads with a single reshape, which mixes time steps and columns. "
    "Reshape the last axis into (heads, depth), then move the axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "separated_by_reshape",
    "You separate the heads with a single reshape, which mixes time steps and columns, and "
    "combining can't undo that: reshape the last axis into (heads, depth), then move the axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "combined_by_reshape",
    "You combined the heads with a single reshape: the axes must move back to (batch, time, "
    "heads, depth) before it.",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "heads_not_moved",
    "You separated the heads but left their axis behind the time axis: the heads of one token "
    "attend to each other, and no token attends to another.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, num_heads, size // num_heads)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, heads, time * depth)",
    cost=PART,
)
KEY.mistake(
    "overlapping_heads",
    "Head h got the columns from h on: the heads overlap, and none of them sees the last "
    "columns. Where does each head begin?",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "np.stack([x[..., h : h + size // num_heads] for h in range(num_heads)], axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "combined_by_column",
    "Combining put the first column of every head first, then the second: the columns of one "
    "head must stay side by side.",
    "x.transpose(0, 2, 1, 3)",
    "x.transpose(0, 2, 3, 1)",
    cost=SLIP,
)
KEY.mistake(
    "first_head_again",
    "Every head is a copy of the first one: does each pass of the loop take its own head?",
    "combine_heads(heads)",
    "combine_heads(np.repeat(heads[:, :1], num_heads, axis=1))",
    cost=SLIP,
)
KEY.mistake(
    "interleaved_heads",
    "Each head took every H-th column: head 1 must see the first columns, head 2 the next ones.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.transpose(0, 2, 3, 1).reshape(batch, time, heads * depth)",
    cost=SLIP,
)
KEY.mistake(
    "no_output_projection",
    "The heads were combined but not projected: output_linear is missing.",
    "combine_heads(heads) @ output_kernel + output_bias",
    "combine_heads(heads)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "output_activated",
    "The last projection has an activation, which cut off all negative numbers: it has to be "
    "linear.",
    "combine_heads(heads) @ output_kernel + output_bias",
    "np.maximum(combine_heads(heads) @ output_kernel + output_bias, 0)",
    cost=SLIP,
)
KEY.mistake(
    "no_value_projection",
    "The values were not projected: value_linear is missing.",
    "inputs @ value_kernel",
    "inputs",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "keys_as_values",
    "Keys and values come from the same projection: each needs its own.",
    "inputs @ value_kernel",
    "inputs @ key_kernel",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "queries_as_keys",
    "Queries and keys come from the same projection: each needs its own.",
    "inputs @ key_kernel",
    "inputs @ query_kernel",
    cost=SLIP,
)
KEY.mistake(
    "one_projection_after_another",
    "You computed the keys from the queries, and the values from the keys: all three "
    "projections start from the inputs.",
    "inputs @ key_kernel",
    "inputs @ query_kernel @ key_kernel",
    "inputs @ value_kernel",
    "inputs @ query_kernel @ key_kernel @ value_kernel",
    cost=SLIP,
)
KEY.mistake(
    "residual_inside",
    "The inputs were added to the output: the residual connection belongs in the encoder block.",
    '"output": combine',
    '"output": inputs + combine',
    cost=SLIP,
)
KEY.mistake(
    "projections_with_bias",
    "The query, key and value projections have a bias, which dense layers have by default: the "
    "task asks for matrices only.",
    '"biases": []',
    '"biases": ["query_linear", "key_linear", "value_linear"]',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "methods_bypassed",
    "`call` doesn't go through all of self.separate_heads(...), self.attention(...) and "
    "self.combine_heads(...): if a later cell replaced what is left out, nothing would change.",
    '"unused": []',
    '"unused": ["methods"]',
    cost=SLIP,
)
KEY.mistake(
    "fixed_axes",
    "The layer fails in a model that leaves batch and time open, where a tensor's shape "
    "contains None: which function gives the sizes at run time?",
    '"fixed_axes": []',
    '"fixed_axes": ["batch", "time"]',
    cost=SLIP,
)


for _order, _hint in {
    "key, query, value": "Queries and keys",
    "query, value, key": "Keys and values",
    "value, key, query": "Queries and values",
    "key, value, query": "Queries, keys and values",
    "value, query, key": "Queries, keys and values",
}.items():
    KEY.mistake(
        f"given_in_the_order_{_order.replace(', ', '_')}",
        f"{_hint} have changed places on the way from the projections to the attention.",
        "scaled_dot_product_attention(query, key, value, by_key)",
        f"scaled_dot_product_attention({_order}, by_key)",
        cost=SLIP,
    )
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

for _name, (_cost, _hint, *_changes) in {**PROJECTIONS, **HEADS, **BIASES, **MASKS}.items():
    KEY.mistake(_name, _hint, *_changes, cost=_cost)
KEY.mistake(
    "dropped_while_training",
    "Your layer gives different numbers while training: there's no dropout in this formula.",
    "SAME} if trains",
    "OTHER} if trains",
    cost=SLIP,
)
KEY.mistake(
    "mask_of_an_earlier_call",
    "Your layer keeps the mask of an earlier call and uses it in a call without one: where there's "
    "no mask, pass `None` on.",
    "None if mask is None else mask[:, None, None, :]",
    "None if mask is None and earlier is None "
    "else (earlier if mask is None else mask)[:, None, None, :]",
    '["mask"] if ignored else []',
    '["mask"] if mask is not None else []',
    cost=SLIP,
)
KEY.mistake(
    "causal",
    "Each token attends only to the ones before it and to itself: here it may look at all of them.",
    "None if mask is None else mask[:, None, None, :]",
    "np.tri(inputs.shape[1], dtype=bool) & (True if mask is None else mask[:, None, None, :])",
)


def _has_large_scores(case: Case) -> bool:
    """Whether the exponential of each head's every score overflows in float32."""
    inputs, heads = case.inputs["inputs"], case.inputs["num_heads"]
    batch, time, size = inputs.shape
    query, key = (
        (inputs @ case.inputs[f"{role}_kernel"]).reshape(batch, time, heads, size // heads)
        for role in ("query", "key")
    )
    scores = np.einsum("bthd,bshd->bhts", query, key) / np.sqrt(size // heads)
    with np.errstate(over="ignore"):
        return bool(np.isinf(np.exp(scores.astype(np.float32))).all())


INPUT_CLASSES = {
    "no mask": lambda cases: any(case.inputs["mask"] is None for case in cases),
    "padding before the tokens": some_mask(lambda mask: bool((~mask[:, 0] & mask[:, -1]).any())),
    "padding after the tokens": some_mask(lambda mask: bool((mask[:, 0] & ~mask[:, -1]).any())),
    "different padding in each sample": some_mask(
        lambda mask: len(np.unique(mask, axis=0)) == len(mask) > 1
    ),
    "a sample of padding only": some_mask(lambda mask: not mask.any(axis=1).all()),
    "scores whose exponentials overflow": lambda cases: any(map(_has_large_scores, cases)),
    "an output bias that is not 0": lambda cases: (
        len(cases) > 1 and any(case.inputs["output_bias"].any() for case in cases)
    ),
    "training": lambda cases: any(case.inputs["trains"] for case in cases),
    "a token of zeros, without a mask": lambda cases: any(
        case.inputs["mask"] is None and not case.inputs["inputs"].any(axis=-1).all()
        for case in cases
    ),
}
