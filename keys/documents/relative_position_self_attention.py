"""The key of ``documents.relative_position_self_attention``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.documents.relative_position_self_attention import (
    EXERCISE,
    FROZEN,
    HIDDEN,
)
from course.exercises.training_mode import OTHER, SAME
from keys.attention.common import combine_heads, masked, separate_heads, softmax, transposed
from keys.documents.relative_position_index import KEY as INDEX
from keys.documents.relative_position_index import relative_position_index
from keys.input_classes import some, some_mask
from selfcheck.exercise import Case


def relative_position_self_attention(
    inputs: np.ndarray,
    num_heads: int,
    max_length: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    distance_embedding: np.ndarray,
    mask: np.ndarray | None = None,
    keeps_weights: bool = False,
    output_bias: np.ndarray | float = 0.0,
    trains: bool = False,
) -> dict[str, np.ndarray]:
    """Multi-head self-attention with logits (q_i·k_j + q_i·a_ij + k_j·a_ij) / √d in each head.

    Args:
        inputs: (batch, time, hidden_size).
        num_heads: H, a divisor of hidden_size.
        max_length: L.
        query_kernel, key_kernel, value_kernel, output_kernel: (hidden_size, hidden_size) each.
        distance_embedding: the table of the a, shared by all heads (2L-1, d).
        mask: padding mask (batch, time); True is a token, False padding.
        keeps_weights: whether the weights are looked at.
        output_bias: (hidden_size,).
        trains: whether training is looked at.

    Returns:
        output: (batch, time, hidden_size); weights: (batch, heads, time, time), and
        training: what comes out while training, each if looked at.

    Reference: Huang et al., "Improve Transformer Models with Better Relative Position Embeddings"
    (2020), method 4.
    """
    query, key, value = inputs @ query_kernel, inputs @ key_kernel, inputs @ value_kernel
    query, key, value = (separate_heads(x, num_heads) for x in (query, key, value))
    time, depth = query.shape[-2:]
    a = distance_embedding[relative_position_index(time, time, max_length)["index"]]
    dot_product = query @ transposed(key)
    query_term = np.einsum("bhid,ijd->bhij", query, a)
    key_term = np.einsum("bhjd,ijd->bhij", key, a)
    logits = (dot_product + query_term + key_term) / np.sqrt(depth)
    by_key = None if mask is None else mask[:, None, None, :]
    weights = softmax(masked(logits, by_key))
    heads = combine_heads(weights @ value)
    kept = {"weights": weights} if keeps_weights else {}
    training = {"training": SAME} if trains else {}
    return {"output": heads @ output_kernel + output_bias, **kept, **training}


KEY = Key(EXERCISE, relative_position_self_attention, mutant_sample=36)

_SELF = (
    "'logits' is not defined"
    r"|'(logits|(separate|combine)_heads|\w+_linear|distance_embedding)' (is not defined|where it)"
)

_INHERITED = "Here or in the previous task, "


def _inherit(name: str, earlier: str, said: str, paired: bool = False) -> None:
    # No two mistakes of the index: these are found where it is graded.
    hint = _INHERITED + said
    KEY.inherit(INDEX.find(earlier), hint, section=3, name=name, paired=paired, family="index")


for _name, _said in {
    "distance_reversed": "distances run from the key to the query.",
    "not_shifted": "distances aren't shifted, and negative rows count from the end of the table.",
}.items():
    _inherit(_name, _name, _said, paired=True)
KEY.inherit(
    # A table that has no such rows, and not one for another number of tokens.
    replace(INDEX.find("not_clipped"), failure="is not in|out of (bounds|range)"),
    _INHERITED + "large distances aren't clipped.",
    section=3,
    family="index",
    paired=True,
)

KEY.mistake(
    "no_scaling",
    "The logits weren't scaled: the square root of the depth is missing.",
    " / np.sqrt(depth)",
    "",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "divided_by_depth",
    "The logits were divided by the depth itself: divide by its square root, and only once.",
    "np.sqrt(depth)",
    "depth",
    cost=SLIP,
)
KEY.mistake(
    "scaled_by_hidden_size",
    "The logits were scaled by the square root of hidden_size: inside a head, vectors only "
    "have the depth of one head.",
    "np.sqrt(depth)",
    "np.sqrt(depth * num_heads)",
    cost=SLIP,
)
KEY.mistake(
    "no_query_term",
    "The queries aren't combined with the distances: the term q·a is missing.",
    " + query_term",
    "",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "no_key_term",
    "The keys aren't combined with the distances: the term k·a is missing.",
    # Not looked for together with the one above: without both terms, there are no distances.
    " + query_term + key_term",
    " + query_term",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "keys_at_the_query",
    "The term k·a used the key at the query's own position: it should use the key that the "
    "logit belongs to.",
    "bhjd,ijd->bhij",
    "bhid,ijd->bhij",
    cost=SLIP,
)
KEY.mistake(
    "softmax_over_queries",
    "The softmax runs over the queries: for each query, the weights of the keys must sum to 1.",
    "softmax(masked(logits, by_key))",
    "softmax(masked(logits, by_key), axis=-2)",
    cost=SLIP,
)
KEY.mistake(
    "mask_ignored",
    "Padding still gets weight: the mask isn't used, or it masks the queries' axis instead of "
    "the keys'.",
    "np.where(mask, logits, -1e9)",
    "logits",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
    cost=SLIP,
)
KEY.mistake(
    "mask_multiplied",
    "The mask sets the logits of padding to 0, but the softmax still gives a logit of 0 some "
    "weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
    paired=True,
)
KEY.mistake(
    "mask_after_softmax",
    "The mask is applied after the softmax, so the remaining weights no longer sum to 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "heads = combine_heads(",
    "weights = weights if mask is None else weights * by_key\n    heads = combine_heads(",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "no_output_projection",
    "The heads were combined but not projected: output_linear is missing.",
    "heads @ output_kernel + output_bias",
    "heads",
    cost=PART,
)
KEY.mistake(
    "residual_inside",
    "The inputs were added to the output: the residual connection belongs around the layer.",
    '"output": ',
    '"output": inputs + ',
    cost=SLIP,
    paired=True,
)
for _name, _said in {
    "shifted_too_far": "the shift is one too large.",
    "sign_lost": "the sign of the distances is lost.",
    "sign_lost_and_shifted": "the sign of the distances is lost before the shift.",
    "clipped_on_one_side": "distances are clipped on one side only.",
}.items():
    _inherit(f"{_name}_inside", _name, _said)

KEY.mistake(
    "distances_not_scaled",
    "Only q·k was scaled: the two distance terms are part of the logits as well.",
    "(dot_product + query_term + key_term) / np.sqrt(depth)",
    "dot_product / np.sqrt(depth) + query_term + key_term",
    cost=SLIP,
)
KEY.mistake(
    "key_term_not_scaled",
    "The term k·a wasn't scaled: all three terms are divided by the root of d.",
    "(dot_product + query_term + key_term) / np.sqrt(depth)",
    "(dot_product + query_term) / np.sqrt(depth) + key_term",
    cost=SLIP,
)
KEY.mistake(
    "dot_product_not_scaled",
    "Only the distance terms were scaled: q·k is part of the logits as well.",
    "(dot_product + query_term + key_term)",
    "dot_product + (query_term + key_term)",
    cost=SLIP,
)
KEY.mistake(
    "no_distances",
    "The distances weren't used: this is the attention from an earlier lesson.",
    "dot_product + query_term + key_term",
    "dot_product",
    cost=PART,
)
KEY.mistake(
    "no_dot_product",
    "Queries and keys are no longer combined: the term q·k is missing.",
    "dot_product + query_term",
    "query_term",
    cost=PART,
)
KEY.mistake(
    "key_term_reversed",
    "The term k·a used the distance from the key to the query: all terms of a logit should use "
    "the same distance.",
    "bhjd,ijd->bhij",
    "bhjd,jid->bhij",
    cost=SLIP,
)
KEY.mistake(
    "query_twice",
    "You used the queries in both distance terms: the second one is for the keys.",
    "query_term + key_term",
    "query_term + query_term",
    cost=SLIP,
)
KEY.mistake(
    "mean_of_terms",
    "The three terms were averaged: they should be added up.",
    "(dot_product + query_term + key_term)",
    "(dot_product + query_term + key_term) / 3",
    cost=SLIP,
)
KEY.mistake(
    "distances_subtracted",
    "The distance terms were subtracted from the logits: all three terms should be added up.",
    "dot_product + query_term + key_term",
    "dot_product - query_term - key_term",
    cost=SLIP,
)
KEY.mistake(
    "no_softmax",
    "You used the logits themselves as weights: a softmax is missing.",
    "softmax(masked(logits, by_key))",
    "masked(logits, by_key)",
    cost=PART,
)
KEY.mistake(
    "unstable_softmax",
    "The exponentials overflow for large logits: use a stable softmax.",
    # As float32 computes it.
    "logits - logits.max(axis=axis, keepdims=True)",
    "logits.astype(np.float32)",
    cost=SLIP,
)
KEY.mistake(
    "minus_infinity",
    "The logits of padding become minus infinity, so a sample that is all padding has nothing "
    "left to divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
    cost=SLIP,
)
KEY.mistake(
    "distances_in_values",
    "The distances were added to the values as well: here, they should only change the logits.",
    "weights @ value",
    'weights @ value + np.einsum("bhij,ijd->bhid", weights, a)',
    cost=SLIP,
)
KEY.mistake(
    "distances_after_softmax",
    "The distance terms were added after the softmax: they're part of the logits.",
    "dot_product + query_term + key_term",
    "dot_product",
    "heads = combine_heads(",
    "weights = weights + (query_term + key_term) / np.sqrt(depth)\n    heads = combine_heads(",
    cost=SLIP,
)
KEY.mistake(
    "combined_by_reshape",
    "The heads were combined with a single reshape: first, the axes must move back to (batch, "
    "time, heads, depth).",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
    cost=SLIP,
)
KEY.mistake(
    "no_value_projection",
    "The values were not projected: value_linear is missing.",
    "inputs @ value_kernel",
    "inputs",
    cost=PART,
)
KEY.mistake(
    "keys_as_values",
    "The weights were applied to the keys instead of the values.",
    "weights @ value",
    "weights @ key",
    cost=SLIP,
)
# Before a mask that doesn't fit, which fails in the same cases.
KEY.mistake(
    "mask_as_a_condition",
    "A mask of many truth values is neither true nor false as a whole: ask whether it's None.",
    "None if mask is None else mask[:, None, None, :]",
    "mask[:, None, None, :] if mask else None",
    cost=SLIP,
    failure=r"truth value",
)
KEY.mistake(
    "heads_for_length",
    "You took the number of heads for the number of tokens: the queries are (batch, heads, time, "
    "depth), counted from 0.",
    "time, depth = query.shape[-2:]",
    "time, depth = query.shape[1], query.shape[-1]",
    cost=SLIP,
    failure=r"shaped .2,2,",
)
KEY.mistake(
    "heads_not_combined",
    "output_linear got the heads one by one: combine_heads has to join them first.",
    "combine_heads(weights @ value)",
    "weights @ value",
    cost=PART,
    failure=r"incompatible with the layer",
)
KEY.mistake(
    "sigmoid",
    "A sigmoid weights each key on its own: for each query, the weights of the keys must sum to 1.",
    "softmax(masked(logits, by_key))",
    "1 / (1 + np.exp(-masked(logits, by_key)))",
)
KEY.mistake(
    "keys_not_transposed",
    "Queries times keys needs the keys' last two axes swapped: their features meet those of the "
    "queries.",
    "query @ transposed(key)",
    "query @ key",
    cost=SLIP,
    failure="size-incompatible: In.0.: .3,2,7,4., In.1.: .3,2,7,4."
    r"|size-incompatible: In.0.: (.[\d,]+.), In.1.: \1",
)
KEY.mistake(
    "self_forgotten",
    "A method or a layer of your class is reached through self: write `self.` in front of its "
    "name.",
    "query @ transposed(key)",
    "query @ None",
    cost=SLIP,
    failure=_SELF,
)
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
        "Your last_weights aren't the weights: keep what comes out of mask and softmax.",
        '"weights": weights',
        '"weights": masked(logits, by_key)',
    ),
    "weights_before_the_mask": (
        SLIP,
        "Your last_weights were computed without the mask: keep the weights that blend the values.",
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
        "No gradient reaches some of the weights, such as the vectors of the distances: they never "
        "learn.",
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

for _name, (_cost, _hint, *_changes) in {**TERMS, **MASKS, **HEADS, **OTHERS}.items():
    KEY.mistake(_name, _hint, *_changes, cost=_cost)

KEY.mistake(
    "mask_needed",
    "Your code uses the mask even if there's none: the mask may be left out, and then every token "
    "counts.",
    "None if mask is None else mask[:, None, None, :]",
    "mask[:, None, None, :]",
    cost=SLIP,
    failure=r"None",
    paired=True,
)


def _grows(cases: Sequence[Case]) -> bool:
    """Whether two of the cases share a layer, and the later one has more tokens."""
    seen: dict[tuple[int, ...], int] = {}
    for inputs in (case.inputs for case in cases):
        _, time, size = inputs["inputs"].shape
        settings = (size, inputs["num_heads"], inputs["max_length"])
        if time > seen.setdefault(settings, time):
            return True
    return False


def _first_products(inputs: Mapping[str, Any]) -> np.ndarray:
    """What the first features of queries and keys add to a head's logits, before scaling."""
    depth = inputs["distance_embedding"].shape[1]
    query, key = (inputs[f"{role}_kernel"][0, ::depth] for role in ("query", "key"))
    return query * key


INPUT_CLASSES = {
    "no mask": some(lambda inputs: inputs["mask"] is None),
    "samples of different lengths": some_mask(lambda mask: len(set(mask.sum(axis=1))) == len(mask)),
    "padding before the tokens": some_mask(lambda mask: bool((mask[:, 1:] > mask[:, :-1]).any())),
    "padding after the tokens": some_mask(lambda mask: bool((mask[:, 1:] < mask[:, :-1]).any())),
    "a sample that is all padding beside another one": some_mask(
        lambda mask: set(mask.any(axis=1)) == {True, False}
    ),
    "an output bias that is not 0": lambda cases: (
        len(cases) > 1 and some(lambda inputs: inputs["output_bias"].any())(cases)
    ),
    "training": some(lambda inputs: inputs["trains"]),
    "equal tokens": some(lambda inputs: not np.ptp(inputs["inputs"], axis=1).any()),
    "a table of zeros": some(lambda inputs: not inputs["distance_embedding"].any()),
    "keys of zeros": some(lambda inputs: not inputs["key_kernel"].any()),
    "queries of zeros": some(lambda inputs: not inputs["query_kernel"].any()),
    "tokens of zeros without a mask": some(
        lambda inputs: inputs["mask"] is None and not inputs["inputs"].any(axis=-1).all()
    ),
    "distances beyond the table": some(
        lambda inputs: inputs["max_length"] < inputs["inputs"].shape[1]
    ),
    "a table longer than the text": some(
        lambda inputs: inputs["max_length"] > inputs["inputs"].shape[1]
    ),
    "a longer text for a layer that has seen a shorter one": _grows,
    "logits too large for exp": some(lambda inputs: _first_products(inputs).max() > 500),
    "padding whose logits would be far above all others": some(
        lambda inputs: (
            inputs["mask"] is not None
            and not inputs["mask"].all()
            and np.abs(inputs["inputs"][~inputs["mask"], 0]).min() >= HIDDEN
        )
    ),
    "tokens whose logits are far below 0, beside padding": some(
        lambda inputs: (
            inputs["mask"] is not None
            and not inputs["mask"].all()
            and _first_products(inputs).min() < -500
        )
    ),
}
