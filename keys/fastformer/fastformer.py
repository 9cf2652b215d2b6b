"""The key of ``fastformer.fastformer``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.attention.open_axes import KEPT
from course.exercises.fastformer.fastformer import EXERCISE
from course.exercises.training_mode import OTHER, SAME
from keys.attention.common import (
    separate_heads,
    softmax,
)
from keys.fastformer.additive_pooling import KEY as POOLING
from keys.fastformer.common import (
    SAID_OF_BOTH,
    SAID_OF_BOTH_UNPAIRED,
    heads_as_rows,
    pool_by_head,
)
from keys.input_classes import among_others, some, some_mask


def fastformer(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    query_score_kernel: np.ndarray,
    key_score_kernel: np.ndarray,
    output_kernel: np.ndarray,
    mask: np.ndarray | None = None,
    trains: bool = False,
    earlier: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """A global query, a global key, and their products with every token.

    As in the authors' code: the values are the queries (section 3.1 of the paper names both, and
    then shares their parameters), each head's scores come from the features of all heads, and
    nothing has a bias.

    Args:
        inputs: (batch, time, width).
        num_heads: H.
        query_kernel, key_kernel: (width, H·d) each.
        query_score_kernel, key_score_kernel: one score for each head (H·d, H).
        output_kernel: (H·d, H·d).
        mask: padding mask (batch, time); True is a token, False padding.
        trains: whether training is looked at.
        earlier: the mask of the call before, if there was one; it changes nothing.

    Returns:
        attended: what output_linear adds; residual: what the output is if that adds nothing;
        (batch, time, H·d) each. The layer's output is their sum. training and fixed_axes: what
        comes out while training, and which sizes have to stay those of the first call, if looked
        at.
    """
    queries, keys = inputs @ query_kernel, inputs @ key_kernel
    global_query = pool_by_head(queries, queries @ query_score_kernel, num_heads, mask)
    products = global_query * keys
    global_key = pool_by_head(products, products @ key_score_kernel, num_heads, mask)
    weighted_values = global_key * queries
    attended = weighted_values @ output_kernel
    training = {"training": SAME, "fixed_axes": []} if trains else {}
    # What isn't finite stays so when output_linear is all zeros.
    queries = queries + 0 * weighted_values
    return {"attended": attended, "residual": queries, **training}


KEY = Key(EXERCISE, fastformer, mutant_sample=48)


KEY.mistake(
    "no_scaling",
    "The scores weren't scaled: the square root of one head's depth is missing.",
    "/ np.sqrt(heads.shape[-1])",
    "",
    cost=SLIP,
    paired=True,
)
for _name, _hint, _old, _new in (
    ("keys_of_the_queries", "The keys were made from the queries: key_linear takes the inputs.",
     "inputs @ key_kernel", "inputs @ query_kernel @ key_kernel"),
    ("values_times_global_query", "The global query is in the values as well: they are the "
     "queries, times the global key only.", "global_key *", "global_query * global_key *"),
):  # fmt: skip
    KEY.mistake(_name, _hint, _old, _new, cost=SLIP)
KEY.mistake(
    "scaled_by_hidden_size",
    "The scores were scaled by the square root of the total number of features: inside a head, "
    "vectors only have the depth of one head.",
    "np.sqrt(heads.shape[-1])",
    "np.sqrt(x.shape[-1])",
    cost=SLIP,
)
KEY.mistake(
    "softmax_twice",
    "The scores already went through a softmax before additive_pooling, which has one of its own.",
    "additive_pooling(heads, by_head, ",
    "additive_pooling(heads, softmax(by_head if mask is None else masked(by_head, "
    "mask[:, None, :])), ",
    cost=SLIP,
)
KEY.mistake(
    "only_key_scores_scaled",
    "The scores of the first pooling weren't scaled: both poolings divide by the same square root.",
    "queries @ query_score_kernel",
    "queries @ query_score_kernel * np.sqrt(queries.shape[-1] / num_heads)",
    cost=SLIP,
)
KEY.mistake(
    "scaled_by_heads",
    "The scores were scaled by the square root of the number of heads: it's the depth of a "
    "head that counts.",
    "np.sqrt(heads.shape[-1])",
    "np.sqrt(num_heads)",
    cost=SLIP,
)
KEY.mistake(
    "divided_by_depth",
    "The scores were divided by a head's depth, not by its square root; or by the square root "
    "twice, here and in the pooling.",
    "np.sqrt(heads.shape[-1])",
    "heads.shape[-1]",
    cost=SLIP,
)
KEY.mistake(
    "multiplied_by_root",
    "The scores were multiplied by the square root of the depth, not divided by it.",
    "/ np.sqrt(heads.shape[-1])",
    "* np.sqrt(heads.shape[-1])",
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the tokens must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "mask_in_query_pooling_only",
    "Padding gets into the global key: both poolings need the mask.",
    "key_score_kernel, num_heads, mask",
    "key_score_kernel, num_heads, None",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "mask_in_key_pooling_only",
    "Padding gets into the global query: both poolings need the mask.",
    "query_score_kernel, num_heads, mask",
    "query_score_kernel, num_heads, None",
    cost=PART,
)

_BOTH_POOLINGS = "Both poolings have the same mistake: "
for _paired, _said in ((True, SAID_OF_BOTH), (False, SAID_OF_BOTH_UNPAIRED)):
    for _name, _mistake in _said.items():
        KEY.inherit(
            POOLING.find(_name),
            _BOTH_POOLINGS + _mistake,
            section=2,
            paired=_paired,
        )

KEY.mistake(
    "first_head_for_all",
    "All heads use the same weights: each head should pool its own features by its own scores.",
    "np.swapaxes(scores, 1, 2)",
    "np.swapaxes(scores, 1, 2)[:, :1]",
    cost=SLIP,
)
KEY.mistake(
    "weights_averaged_over_heads",
    "The heads' weights were averaged: each head should pool its own features by its own scores.",
    "softmax(logits)",
    "softmax(logits).mean(axis=1, keepdims=True)",
)
KEY.mistake(
    "heads_interleaved",
    "The heads' features are interleaved: a head is a block of neighbouring columns.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)",
    "x.transpose(0, 2, 1, 3)",
    "x.transpose(0, 2, 3, 1)",
    cost=SLIP,
)
KEY.mistake(
    "heads_reshaped",
    "A reshape alone splits the tokens among the heads, not the features: split the last axis "
    "first, then swap axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
    cost=SLIP,
)
KEY.mistake(
    "scores_of_the_inputs",
    "The scores of the first pooling come from the inputs: they should come from the queries.",
    "queries @ query_score_kernel",
    "inputs @ query_score_kernel",
    cost=SLIP,
    failure="weights of shape",  # where the inputs have another width
)
KEY.mistake(
    "key_scores_of_the_keys",
    "The scores of the second pooling come from the keys: what it pools is their product with "
    "the global query.",
    "products @",
    "keys @",
    cost=SLIP,
)
KEY.mistake(
    "keys_pooled",
    "The second pooling uses the keys: it should pool their product with the global query.",
    "pool_by_head(products",
    "pool_by_head(keys",
    paired=True,
)
KEY.mistake(
    "global_key_without_the_query",
    "The global key is pooled from the keys alone, so the global query has no effect.",
    "pool_by_head(products, products @",
    "pool_by_head(keys, keys @",
)
KEY.mistake(
    "own_queries",
    "Each key was combined with its own token's query: it needs the global one.",
    "global_query * keys",
    "queries * keys",
)
KEY.mistake(
    "global_query_added",
    "The global query was added to the keys: the two should be multiplied, feature by feature.",
    "global_query * keys",
    "global_query + keys",
    cost=SLIP,
)
KEY.mistake(
    "global_key_added",
    "The global key was added to the queries: the two should be multiplied, feature by feature.",
    "global_key * queries",
    "global_key + queries",
    cost=SLIP,
)
KEY.mistake(
    "sums_for_products",
    "The global query and the global key were added where they should be multiplied.",
    "global_query * keys",
    "global_query + keys",
    "global_key * queries",
    "global_key + queries",
    cost=SLIP,
)
KEY.mistake(
    "keys_for_values",
    "The global key was combined with the keys: the values are the queries.",
    "global_key * queries",
    "global_key * keys",
    cost=SLIP,
)
KEY.mistake(
    "products_for_values",
    "The global key was combined with the products that it's pooled from: the values are the "
    "queries.",
    "global_key * queries",
    "global_key * products",
    cost=SLIP,
)
KEY.mistake(
    "inputs_for_values",
    "The global key was combined with the inputs themselves: the values are the queries.",
    "global_key * queries",
    "global_key * inputs",
    cost=SLIP,
)
KEY.mistake(
    "values_of_their_own",
    "What's added to the queries is 0 with our weights: do the values come from a layer that the "
    "task doesn't name? They're the queries.",
    "weighted_values @ output_kernel",
    "weighted_values @ (0 * output_kernel)",
    cost=PART,
)
KEY.mistake(
    "global_key_not_used",
    "The global key has no effect: combine the queries with it, not with the products that it's "
    "pooled from.",
    "global_key * queries",
    "products * queries",
)
KEY.mistake(
    "global_query_for_key",
    "The queries are combined with the global query: they should be combined with the global key.",
    "global_key * queries",
    "global_query * queries",
    cost=SLIP,
)
KEY.mistake(
    "global_key_alone",
    "The global key goes into output_linear on its own: it has to be combined with the queries "
    "first.",
    "global_key * queries",
    "global_key + 0 * queries",
)
KEY.mistake(
    "no_queries_added",
    "The queries aren't added to the output.",
    '"residual": queries',
    '"residual": 0 * queries',
    cost=PART,
    paired=True,
)
KEY.mistake(
    "queries_added_twice",
    "The queries are added twice.",
    '"residual": queries',
    '"residual": 2 * queries',
    cost=SLIP,
)
KEY.mistake(
    "queries_projected",
    "The queries were added before output_linear: they should be added to its output.",
    "weighted_values @ output_kernel",
    "(weighted_values + queries) @ output_kernel",
    '"residual": queries',
    '"residual": 0 * queries',
    cost=SLIP,
)
KEY.mistake(
    "inputs_added",
    "The inputs were added instead of the queries; the connection around the whole layer comes "
    "later, in the block.",
    '"residual": queries',
    '"residual": 0 * queries + inputs',
    cost=SLIP,
)
KEY.mistake(
    "inputs_added_as_well",
    "The inputs were added as well as the queries; the connection around the whole layer comes "
    "later, in the block.",
    '"residual": queries',
    '"residual": queries + inputs',
    cost=SLIP,
)
KEY.mistake(
    "no_output_linear",
    "The layer output_linear isn't used.",
    '"attended": attended, "residual": queries',
    '"attended": 0 * attended, "residual": weighted_values + queries',
    cost=PART,
)
KEY.mistake(
    "keys_added",
    "The keys were added to the output: it should be the queries.",
    '"residual": queries',
    '"residual": keys',
    cost=SLIP,
)
KEY.mistake(
    "combined_by_reshape",
    "The heads were combined with a single reshape: first, the axes must move back to (batch, "
    "time, heads, features).",
    "weighted_values @ output_kernel",
    "separate_heads(weighted_values, num_heads).reshape(keys.shape) @ output_kernel",
    cost=SLIP,
)
KEY.mistake(
    "scores_reshaped",
    "A reshape doesn't bring the scores to (batch, heads, time): it gives a head the scores of "
    "other tokens and heads. Swap the axes.",
    "np.swapaxes(scores, 1, 2)",
    "scores.reshape(scores.shape[0], num_heads, -1)",
    cost=SLIP,
)
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

for _name, (_cost, _hint, *_changes) in {**ROLES, **HEADS, **STATE}.items():
    KEY.mistake(_name, _hint, *_changes, cost=_cost)
KEY.mistake(
    "pooled_over_heads",
    "The poolings run over the heads of each token: they should run over the tokens, in each head.",
    "separate_heads(x, num_heads)",
    "np.swapaxes(separate_heads(x, num_heads), 1, 2)",
    "np.swapaxes(scores, 1, 2)",
    "scores",
    "mask[:, None, :]",
    "mask[:, :, None]",
    'combine_heads(pooled["output"][:, :, None, :])',
    'np.tile(pooled["output"], num_heads)',
    cost=SLIP,
)
KEY.mistake(
    "mask_not_tested_for_none",
    "There may be no mask at all: what happens in your code if mask is None?",
    "None if mask is None else mask[:, None, :]",
    "mask[:, None, :]",
    cost=SLIP,
    failure=r"None",
)
for _name, _cost, _hint, *_changes, _failure in (
    (
        "scores_not_swapped",
        SLIP,
        "The scores are (B, T, H), and additive_pooling needs (B, H, T): swap the last two axes.",
        "np.swapaxes(scores, 1, 2)",
        "scores",
        "shapes: .3,5,2,1. vs. .3,2,5,4."
        r"|shapes: .(\d+),(\d+),(\d+),1. vs. .\1,\3,\2,|then .(\d+),(\d+),(\d+).",
    ),
    (
        "vectors_not_separated",
        PART,
        "The scores are separated by heads, and the vectors aren't: they need separate_heads.",
        "additive_pooling(heads, by_head",
        "additive_pooling(x, by_head",
        'combine_heads(pooled["output"][:, :, None, :])',
        'pooled["output"].reshape(-1, 1, x.shape[-1])',  # of a batch of one
        r"shapes: .3,2,5,1. vs. .3,5,8.|shapes: .(\d+),(\d+),(\d+),1. vs. .\1,\3,\d+\]",
    ),
    (
        "axis_for_the_tokens_missing",
        SLIP,
        "Your vectors are (B, H · d), and the tokens have one more axis: return (B, 1, H · d).",
        'combine_heads(pooled["output"][:, :, None, :])',
        'pooled["output"].reshape(len(x), -1)',
        r"shapes: .3,8. vs. .3,5,8.|shapes: .(\d+),(\d+). vs. .\1,\d+,\2\]",
    ),
    (
        "heads_not_side_by_side",
        PART,
        "The pooled heads are still apart, (B, H, d): put them side by side, (B, 1, H · d).",
        'combine_heads(pooled["output"][:, :, None, :])',
        'pooled["output"]',
        r"shapes: .3,2,4. vs. .3,5,8.|shapes: .(\d+),\d+,\d+. vs. .\1,\d+,\d+\]",
    ),
    (
        "mask_without_an_axis",
        SLIP,
        "The mask (B, T) needs an axis for the heads, in the middle: the scores are (B, H, T).",
        "None if mask is None else mask[:, None, :]",
        "mask",
        r"must be broadcastable",
    ),
    (
        "mask_not_given",
        PART,
        "global_vector takes three arguments: the vectors, their scores, and the mask.",
        "global_query * keys",
        "global_query * None",
        r"global_vector.. missing",
    ),
    (
        "self_forgotten",
        SLIP,
        "A method or a layer of your class is reached through self: write `self.` in front of its "
        "name.",
        "global_query * keys",
        "None * keys",
        "'global_vector' is not defined"
        r"|'(separate_heads|\w+_linear|\w+_score|size_per_head)' is not defined",
    ),
):
    KEY.mistake(_name, _hint, *_changes, cost=_cost, failure=_failure)
KEY.mistake(
    "pooled_over_the_second_axis",
    "The poolings run over the second axis, but with heads in front time is the third: look at "
    "additive_pooling again, and count its axes from the end.",
    "weighted.sum(axis=-2)",
    'np.einsum("bt,btd->bd", alpha, x)',
    section=2,
    cost=SLIP,
    # (batch, time, 1, features) meets (batch, heads, time, features), or weights that have an axis
    # too few meet the vectors, or an einsum has no letter for the heads.
    failure=r"have rank \d but got"
    r"|\[(\d+),(\d+),1,(\d+)\] vs\. (\[\1,\d+,\2,\3\]|\[\1,\2,\3,\d+\])",
)


def _scores(inputs: Mapping[str, Any]) -> np.ndarray:
    """Of the first pooling, (batch, time, heads)."""
    queries = inputs["inputs"] @ inputs["query_kernel"]
    return queries @ inputs["query_score_kernel"]


INPUT_CLASSES = {
    "training": some(lambda given: given["trains"]),
    "a mask in the call before, and none in this one": some(
        lambda given: given["mask"] is None and given["earlier"] is not None
    ),
    "a batch of one": some(lambda given: len(given["inputs"]) == 1),
    "no mask": among_others(lambda given: given["mask"] is None),
    "different numbers of tokens": some_mask(lambda mask: len(set(mask.sum(axis=1))) > 1),
    "padding before the tokens": some_mask(lambda mask: (mask[:, 1:] & ~mask[:, :-1]).any()),
    "nothing but padding": some_mask(lambda mask: not mask.any(axis=1).all()),
    "a token of zeros without a mask": some(
        lambda given: given["mask"] is None and not given["inputs"].any(axis=-1).all()
    ),
    "identical tokens": some(lambda given: (given["inputs"] == given["inputs"][:, :1]).all()),
    "inputs as wide as the output": among_others(
        lambda given: given["inputs"].shape[2] == given["query_kernel"].shape[1]
    ),
    "inputs of another width": some(
        lambda given: given["inputs"].shape[2] != given["query_kernel"].shape[1]
    ),
    "scores far above 0, with padding": some(
        lambda given: (
            given["mask"] is not None and _scores(given)[~given["mask"]].max(initial=0) > 400
        )
    ),
    "scores far below 0, with padding": some(
        lambda given: (
            given["mask"] is not None and _scores(given)[~given["mask"]].min(initial=0) < -400
        )
    ),
}
