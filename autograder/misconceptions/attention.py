"""What people get wrong about attention."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import (
    average_attention,
    combine_heads,
    separate_heads,
    softmax,
    transposed,
)

bank = Bank("attention")

Outputs = Mapping[str, np.ndarray]


def _hidden(logits: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """Logits with a very negative number where the mask is False: finite for padded samples, so
    that a variant differs from the reference by its own mistake alone."""
    return logits if mask is None else np.where(mask, logits, -1e9)


def _unstable_softmax(logits: np.ndarray, axis: int = -1) -> np.ndarray:
    """softmax without the shift, as float32 computes it."""
    powers = np.exp(logits.astype(np.float32))
    return powers / powers.sum(axis=axis, keepdims=True)


# --- average_attention ---------------------------------------------------------------------------


def _pooled(hidden: np.ndarray, weights: np.ndarray) -> Outputs:
    return {"output": (weights[..., None] * hidden).sum(axis=1)}


@bank.add("average_attention", "The scores were not scaled: look at what d does to their spread.")
def unscaled_scores(hidden, context):
    return _pooled(hidden, softmax(hidden @ context, axis=1))


@bank.add("average_attention", "The scores were divided by d itself; the formula takes its root.")
def scores_divided_by_d(hidden, context):
    return _pooled(hidden, softmax(hidden @ context / hidden.shape[-1], axis=1))


@bank.add(
    "average_attention",
    "The scores were scaled by the number of time steps: d is the size of one hidden state.",
)
def scores_scaled_by_time(hidden, context):
    return _pooled(hidden, softmax(hidden @ context / np.sqrt(hidden.shape[1]), axis=1))


@bank.add(
    "average_attention",
    "The softmax ran over the batch: the weights of one sample's time steps must sum to 1.",
)
def softmax_over_batch(hidden, context):
    return _pooled(hidden, softmax(hidden @ context / np.sqrt(hidden.shape[-1]), axis=0))


@bank.add("average_attention", "The scores themselves served as weights: a softmax is missing.")
def scores_as_weights(hidden, context):
    return _pooled(hidden, hidden @ context / np.sqrt(hidden.shape[-1]))


@bank.add(
    "average_attention",
    "The scores were divided by their sum: weights need a softmax, which keeps them positive.",
)
def scores_over_their_sum(hidden, context):
    scores = hidden @ context
    return _pooled(hidden, scores / scores.sum(axis=1, keepdims=True))


@bank.add("average_attention", "Every time step got the same weight: the context was not used.")
def plain_mean(hidden, context):
    return {"output": hidden.mean(axis=1)}


@bank.add("average_attention", "The weighted hidden states were averaged once more: they only sum.")
def weighted_mean_of_mean(hidden, context):
    return {"output": average_attention(hidden, context)["output"] / hidden.shape[1]}


@bank.add("average_attention", "The exponentials overflow for large scores: use a stable softmax.")
def unstable_pooling(hidden, context):
    scores = hidden @ context / np.sqrt(hidden.shape[-1])
    return _pooled(hidden, _unstable_softmax(scores, axis=1))


# --- scaled_dot_product_attention ----------------------------------------------------------------


def _root_of_d_k(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> float:
    return 1 / np.sqrt(key.shape[-1])


def _attend(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    scale: Callable[..., float] = _root_of_d_k,
    hide: Callable[[np.ndarray, np.ndarray | None], np.ndarray] = _hidden,
    normalise: Callable[[np.ndarray], np.ndarray] = softmax,
    after: Callable[[np.ndarray, np.ndarray | None], np.ndarray] = lambda weights, mask: weights,
    returned: Callable[..., tuple] = lambda output, weights, logits: (output, weights),
) -> Outputs:
    """The right attention but for its parts: what logits are multiplied by, how the mask hides
    them, what makes weights of them, what the mask does to weights, and what is returned."""
    logits = hide(query @ transposed(key) * scale(query, key, value), mask)
    weights = after(normalise(logits), mask)
    output, weights = returned(weights @ value, weights, logits)
    return {"output": output, "weights": weights}


def _unmasked(logits: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    return logits


def _multiplied(values: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    return values if mask is None else values * mask


_attention = bank.parts_of("scaled_dot_product_attention", _attend)

_attention(
    "no_scaling",
    "The logits were not scaled: compare their spread with the simulation of the root of d_k.",
    scale=lambda query, key, value: 1.0,
)
_attention(
    "divided_by_d_k",
    "The logits were divided by d_k itself, which makes the weights too even: which power of d_k "
    "is the logits' standard deviation?",
    scale=lambda query, key, value: 1 / key.shape[-1],
)
_attention(
    "multiplied_by_root",
    "The logits were multiplied by the root of d_k: scaling has to make them smaller.",
    scale=lambda query, key, value: np.sqrt(key.shape[-1]),
)
_attention(
    "scaled_by_queries",
    "The logits were scaled by the number of queries: d_k is the last axis of the keys.",
    scale=lambda query, key, value: 1 / np.sqrt(query.shape[-2]),
)
_attention(
    "scaled_by_keys",
    "The logits were scaled by the number of keys: d_k is the last axis of the keys.",
    scale=lambda query, key, value: 1 / np.sqrt(key.shape[-2]),
)
_attention(
    "scaled_by_batch",
    "The logits were scaled by the batch size: d_k is the last axis of the keys.",
    scale=lambda query, key, value: 1 / np.sqrt(key.shape[0]),
)
_attention(
    "scaled_by_d_v",
    "The logits were scaled by the depth of the values: which two vectors does the dot product "
    "multiply?",
    scale=lambda query, key, value: 1 / np.sqrt(value.shape[-1]),
)
_attention(
    "softmax_over_queries",
    "The softmax ran over the queries: for each query, the weights of the keys must sum to 1.",
    normalise=lambda logits: softmax(logits, axis=-2),
)
_attention(
    "softmax_over_axis_two",
    "The softmax ran over a fixed axis: with heads in front, that axis is another one.",
    normalise=lambda logits: softmax(logits, axis=2),
)
_attention(
    "no_softmax",
    "The logits themselves served as weights: a softmax is missing.",
    normalise=lambda logits: logits,
)
_attention(
    "divided_by_sum",
    "The logits were divided by their sum: weights need a softmax, which keeps them positive.",
    normalise=lambda logits: logits / logits.sum(-1, keepdims=True),
)
_attention(
    "sigmoid_weights",
    "A sigmoid took the place of the softmax: the weights of one query must compete.",
    normalise=lambda logits: 1 / (1 + np.exp(-logits)),
)
_attention(
    "unstable_softmax",
    "The exponentials overflow for large logits: use a stable softmax.",
    normalise=_unstable_softmax,
)
_attention("mask_ignored", "The mask was not used: padding still receives weight.", hide=_unmasked)
_attention(
    "mask_inverted",
    "The mask was read the other way round: True means that a key may be attended to.",
    hide=lambda logits, mask: logits if mask is None else _hidden(logits, ~mask),
)
_attention(
    "mask_multiplied",
    "The mask made the logits of hidden keys 0, and the softmax gives a logit of 0 a weight: what "
    "must a logit be for a weight of 0?",
    hide=_multiplied,
)
_attention(
    "mask_after_softmax",
    "The mask came after the softmax, so that the remaining weights no longer sum to 1.",
    hide=_unmasked,
    after=_multiplied,
)
_attention(
    "minus_infinity",
    "Hidden logits became minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    hide=lambda logits, mask: logits if mask is None else np.where(mask, logits, -np.inf),
)
_attention(
    "swapped_returns",
    "The two results are swapped: the output comes first, then the weights.",
    returned=lambda output, weights, logits: (weights, output),
)
_attention(
    "logits_returned",
    "The first result is right, but the second holds the logits: return what the softmax gave.",
    returned=lambda output, weights, logits: (output, logits),
)


# --- multi_head_self_attention -------------------------------------------------------------------

Split = Callable[[np.ndarray, int], np.ndarray]
Merge = Callable[[np.ndarray], np.ndarray]


def _projected(inputs: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    return inputs @ kernel


def _multi_head(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    split: Split = separate_heads,
    merge: Merge = combine_heads,
    heads: Callable[[int], int] = lambda number: number,
    by_key: Callable[[np.ndarray], np.ndarray] = lambda mask: mask[:, None, None, :],
    values: Callable[..., np.ndarray] = lambda inputs, key_kernel, kernel: inputs @ kernel,
    last: Callable[[np.ndarray, np.ndarray], np.ndarray] = _projected,
    added: Callable[[np.ndarray], np.ndarray | float] = lambda inputs: 0.0,
    biases: Sequence[str] = (),
    **attention: Callable,
) -> Outputs:
    """The right layer but for its parts: how heads are separated and combined and how many there
    are, which axis the mask is given, what the values are, the last projection, what is added to
    it, and the parts of the attention itself."""
    projected = inputs @ query_kernel, inputs @ key_kernel, values(inputs, key_kernel, value_kernel)
    query, key, value = (split(x, heads(num_heads)) for x in projected)
    attended = _attend(query, key, value, None if mask is None else by_key(mask), **attention)
    separated = split(inputs, num_heads)
    return {
        "output": last(merge(attended["output"]), output_kernel) + added(inputs),
        "separated": separated,
        "recombined": merge(separated),
        "biases": list(biases),
    }


def _batch_reshape(x: np.ndarray, num_heads: int) -> np.ndarray:
    batch, time, size = x.shape
    return x.reshape(batch, num_heads, time, size // num_heads)


def _flat_reshape(x: np.ndarray) -> np.ndarray:
    batch, heads, time, depth = x.shape
    return x.reshape(batch, time, heads * depth)


def _interleaved(x: np.ndarray, num_heads: int) -> np.ndarray:
    batch, time, size = x.shape
    return x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)


def _interleaved_merge(x: np.ndarray) -> np.ndarray:
    batch, heads, time, depth = x.shape
    return x.transpose(0, 2, 3, 1).reshape(batch, time, heads * depth)


_layer = bank.parts_of("multi_head_self_attention", _multi_head)

_INHERITED = "The attention inside the layer has the mistake of the task before: "
_SAID_OF_THE_LAYER = {
    "no_scaling": _INHERITED + "the logits are not scaled.",
    "divided_by_d_k": _INHERITED + "the logits are divided by the depth, not by its root.",
    "softmax_over_queries": _INHERITED + "the softmax runs over the queries.",
    "no_softmax": _INHERITED + "the softmax is missing.",
    "mask_multiplied": _INHERITED + "hidden logits become 0.",
    "mask_after_softmax": _INHERITED + "the mask comes after the softmax.",
    "minus_infinity": _INHERITED + "hidden logits become minus infinity.",
    "unstable_softmax": _INHERITED + "the exponentials overflow.",
    "mask_ignored": "The padding mask does not reach the attention: padding still receives weight.",
    "mask_inverted": "The mask is read the other way round: True is a token, False is padding.",
}
for _known in bank.of("attention.scaled_dot_product_attention"):
    if _known.name in _SAID_OF_THE_LAYER:
        _layer(_known.name, _SAID_OF_THE_LAYER[_known.name], **_known.parts)

_layer(
    "mask_on_queries",
    "The mask hides the queries' axis: it is the keys that must not be attended to.",
    by_key=lambda mask: mask[:, None, :, None],
)
_layer(
    "scaled_by_hidden_size",
    "The logits are scaled by the root of hidden_size: inside a head, d_k is the depth of one "
    "head.",
    scale=lambda query, key, value: 1 / np.sqrt(key.shape[1] * key.shape[-1]),
)
_layer(
    "reshaped_straight",
    "Heads were separated by one reshape: it mixes time steps and columns. Reshape the last axis "
    "into (heads, depth), then move the axes.",
    split=_batch_reshape,
    merge=_flat_reshape,
)
_layer(
    "separated_by_reshape",
    "Separating is one reshape and mixes time steps and columns, so that combining cannot undo "
    "it: reshape the last axis into (heads, depth), then move the axes.",
    split=_batch_reshape,
)
_layer(
    "combined_by_reshape",
    "Heads were combined by one reshape: the axes must move back to (batch, time, heads, depth) "
    "before it.",
    merge=_flat_reshape,
)
_layer(
    "interleaved_heads",
    "Each head took every H-th column: head h must see the columns h·depth to (h+1)·depth.",
    split=_interleaved,
    merge=_interleaved_merge,
)
_layer(
    "one_head",
    "There is one head over all columns: the projections were not separated into heads.",
    heads=lambda number: 1,
)
_layer(
    "no_output_projection",
    "The heads were combined but not projected: output_linear is missing.",
    last=lambda combined, kernel: combined,
)
_layer(
    "no_value_projection",
    "The values were not projected: value_linear is missing.",
    values=lambda inputs, key_kernel, kernel: inputs,
)
_layer(
    "keys_as_values",
    "Keys and values come from the same projection: each has its own.",
    values=lambda inputs, key_kernel, kernel: inputs @ key_kernel,
)
_layer(
    "residual_inside",
    "The inputs were added to the output: the residual connection belongs to the encoder block.",
    added=lambda inputs: inputs,
)
_layer(
    "projections_with_bias",
    "The projections to queries, keys and values have a bias, which is how a dense layer comes: "
    "the task asks for matrices alone.",
    biases=("query_linear", "key_linear", "value_linear"),
)
