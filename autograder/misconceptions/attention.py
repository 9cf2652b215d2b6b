"""What people get wrong about attention."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import (
    combine_heads,
    separate_heads,
    softmax,
    transposed,
)
from course.exercises.attention import FIXED_AXES

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


def _over_one_sum(logits: np.ndarray) -> np.ndarray:
    """Exponentials over the sum of all of them, as float32 computes it."""
    powers = np.exp(logits.astype(np.float32))
    return powers / powers.sum()


def _average(
    hidden: np.ndarray,
    context: np.ndarray,
    *,
    scale: Callable[[np.ndarray], float] = lambda hidden: 1 / np.sqrt(hidden.shape[-1]),
    normalise: Callable[[np.ndarray], np.ndarray] = lambda scores: softmax(scores, axis=1),
    pool: Callable[..., np.ndarray] = np.sum,
    pooled_axis: int = 1,
) -> Outputs:
    """The right average but for its parts: what scores are multiplied by, what makes weights of
    them, and what is done with the weighted hidden states, along which axis."""
    weights = normalise(hidden @ context * scale(hidden))
    return {"output": pool(weights[..., None] * hidden, axis=pooled_axis)}


def _unscaled(hidden: np.ndarray) -> float:
    return 1.0


_averaging = bank.parts_of("average_attention", _average)

_averaging(
    "unscaled_scores",
    "The scores were not scaled: look at what d does to their spread.",
    scale=_unscaled,
)
_averaging(
    "scores_divided_by_d",
    "The scores were divided by d itself; the formula takes its root.",
    scale=lambda hidden: 1 / hidden.shape[-1],
)
_averaging(
    "scores_scaled_by_time",
    "The scores were scaled by the number of time steps: d is the size of one hidden state.",
    scale=lambda hidden: 1 / np.sqrt(hidden.shape[1]),
)
_averaging(
    "softmax_over_batch",
    "The softmax ran over the batch: the weights of one sample's time steps must sum to 1.",
    normalise=lambda scores: softmax(scores, axis=0),
)
_averaging(
    "scores_as_weights",
    "The scores themselves served as weights: a softmax is missing.",
    normalise=lambda scores: scores,
)
_averaging(
    "unstable_pooling",
    "The exponentials overflow for large scores: use a stable softmax.",
    normalise=lambda scores: _unstable_softmax(scores, axis=1),
)
_averaging(
    "one_sum_for_all_samples",
    "The exponentials were divided by one sum over the whole batch: each sample's weights need a "
    "sum of their own.",
    normalise=_over_one_sum,
)
_averaging(
    "scores_over_their_sum",
    "The scores were divided by their sum: weights need a softmax, which keeps them positive.",
    scale=_unscaled,  # undone by the division
    normalise=lambda scores: scores / scores.sum(axis=1, keepdims=True),
)
_averaging(
    "plain_mean",
    "Every time step got the same weight: the context was not used.",
    scale=_unscaled,
    normalise=lambda scores: np.full_like(scores, 1 / scores.shape[1]),
)
_averaging(
    "softmax_over_one_score",
    "Every weight is 1: the softmax ran over an axis of size 1, where there is nothing to share.",
    scale=_unscaled,
    normalise=np.ones_like,
)
_averaging(
    "weighted_mean_of_mean",
    "The weighted hidden states were averaged once more: they only sum.",
    pool=np.mean,
)
_averaging(
    "summed_over_features",
    "The sum ran over the features, and one number is left of each time step: which axis shall "
    "vanish?",
    pooled_axis=-1,
)
_averaging(
    "summed_over_samples",
    "The sum ran over the samples, and mixed texts that have nothing to do with each other: which "
    "axis shall vanish?",
    pooled_axis=0,
)


@bank.add(
    "average_attention",
    "The products were not summed over the features, and the softmax ran over these: a time step "
    "has one score, and the time steps share the weights.",
)
def softmax_over_features(hidden, context):
    weights = softmax(hidden * context / np.sqrt(hidden.shape[-1]))
    return {"output": (weights * hidden).sum(axis=1)}


@bank.add(
    "average_attention",
    "Every feature got a score and weights of its own: a dot product sums over the features, so "
    "that a time step has one score.",
)
def score_for_each_feature(hidden, context):
    weights = softmax(hidden * context / np.sqrt(hidden.shape[-1]), axis=1)
    return {"output": (weights * hidden).sum(axis=1)}


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
    rescale: Callable[..., float] = lambda query, key, value: 1.0,
    blended: Callable[[np.ndarray, np.ndarray], np.ndarray] = lambda key, value: value,
    returned: Callable[..., tuple] = lambda output, weights, logits: (output, weights),
) -> Outputs:
    """The right attention but for its parts: what logits are multiplied by, how the mask hides
    them, what makes weights of them, what the mask does to weights, what these are multiplied by,
    what they blend, and what is returned."""
    logits = hide(query @ transposed(key) * scale(query, key, value), mask)
    weights = after(normalise(logits), mask) * rescale(query, key, value)
    output, weights = returned(weights @ blended(key, value), weights, logits)
    return {"output": output, "weights": weights}


def _unmasked(logits: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    return logits


def _multiplied(values: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    return values if mask is None else values * mask


def _by_widened_mask(logits: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """A padding mask as it is for queries that have no axis yet; other masks as they are, for that
    a program fails on them says nothing of why."""
    return _hidden(logits, mask if mask is None or mask.ndim < 3 else mask[:, None])


_attention = bank.parts_of("scaled_dot_product_attention", _attend)
_attention_alone = bank.parts_of("scaled_dot_product_attention", _attend, paired=False)

_SCALED_AFTERWARDS = {"scale": lambda query, key, value: 1.0, "rescale": _root_of_d_k}

_attention(
    "no_scaling",
    "The logits were not scaled: compare their spread with the simulation of the root of d_k.",
    section=3,
    scale=lambda query, key, value: 1.0,
)
_attention(
    "divided_by_d_k",
    "The logits were divided by d_k itself, which makes the weights too even: which power of d_k "
    "is the logits' standard deviation?",
    section=3,
    scale=lambda query, key, value: 1 / key.shape[-1],
)
_attention(
    "multiplied_by_root",
    "The logits were multiplied by the root of d_k: scaling has to make them smaller.",
    section=3,
    scale=lambda query, key, value: np.sqrt(key.shape[-1]),
)
_attention_alone(
    "divided_by_half_of_d_k",
    "The logits were divided by half of d_k, not by its root: which comes first, the power or the "
    "division?",
    section=3,
    scale=lambda query, key, value: 2 / key.shape[-1],
)
_attention_alone(
    "scaled_after_softmax",
    "The weights were divided by the root of d_k and sum to less than 1: it is the logits that are "
    "scaled, before the softmax.",
    section=3,
    **_SCALED_AFTERWARDS,
)
_attention(
    "scaled_by_queries",
    "The logits were scaled by the number of queries: d_k is the last axis of the keys.",
    section=3,
    scale=lambda query, key, value: 1 / np.sqrt(query.shape[-2]),
)
_attention(
    "scaled_by_keys",
    "The logits were scaled by the number of keys: d_k is the last axis of the keys.",
    section=3,
    scale=lambda query, key, value: 1 / np.sqrt(key.shape[-2]),
)
_attention(
    "scaled_by_batch",
    "The logits were scaled by the batch size: d_k is the last axis of the keys.",
    section=3,
    scale=lambda query, key, value: 1 / np.sqrt(key.shape[0]),
)
_attention(
    "scaled_by_d_v",
    "The logits were scaled by the depth of the values: which two vectors does the dot product "
    "multiply?",
    section=3,
    scale=lambda query, key, value: 1 / np.sqrt(value.shape[-1]),
)
_attention(
    "softmax_over_queries",
    "The softmax ran over the queries: for each query, the weights of the keys must sum to 1.",
    section=2,
    normalise=lambda logits: softmax(logits, axis=-2),
)
_attention_alone(
    "softmax_over_axis_one",
    "The softmax ran over the second axis, whatever that is: the weights of the keys must sum to "
    "1, and the keys are the last axis, with heads in front or without.",
    section=2,
    normalise=lambda logits: softmax(logits, axis=1),
)
_attention(
    "softmax_over_axis_two",
    "The softmax ran over a fixed axis: with heads in front, that axis is another one.",
    normalise=lambda logits: softmax(logits, axis=2),
)
_attention(
    "no_softmax",
    "The logits themselves served as weights: a softmax is missing.",
    section=2,
    normalise=lambda logits: logits,
)
_attention(
    "divided_by_sum",
    "The logits were divided by their sum: weights need a softmax, which keeps them positive.",
    section=2,
    scale=lambda query, key, value: 1.0,  # undone by the division
    normalise=lambda logits: logits / logits.sum(-1, keepdims=True),
)
_attention_alone(
    "one_sum_for_all_queries",
    "The exponentials were divided by one sum over the whole array: each query's weights need a "
    "sum of their own.",
    section=2,
    normalise=_over_one_sum,
)
_attention(
    "sigmoid_weights",
    "A sigmoid took the place of the softmax: the weights of one query must compete.",
    section=2,
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
    "padding_raised",
    "The mask lifted the logits of hidden keys instead of lowering them: only padding is attended "
    "to. Which sign must the large number have?",
    hide=lambda logits, mask: logits if mask is None else np.where(mask, logits, 1e9),
)
_attention_alone(
    "barely_hidden",
    "The number that hides a logit is not low enough, as other logits can be lower still: take one "
    "that none of them reaches.",
    hide=lambda logits, mask: logits if mask is None else np.where(mask, logits, -20.0),
)
_attention_alone(
    "mask_with_an_axis_too_many",
    "The mask got one more axis, and so did the logits: it comes in a shape that fits them.",
    hide=_by_widened_mask,
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
_attention_alone(
    "keys_blended",
    "The weights blended the keys: these say where to look, and the values what is handed over.",
    section=2,
    blended=lambda key, value: key,
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


@bank.add(
    "scaled_dot_product_attention",
    "It works for three axes only: with heads in front there are four. Which two axes are to be "
    "swapped, counted from the end?",
)
def three_axes_only(query, key, value, mask=None):
    if key.ndim > 3:
        raise ValueError("This order of axes is one of three.")
    return _attend(query, key, value, mask)


# --- multi_head_self_attention -------------------------------------------------------------------

Split = Callable[[np.ndarray, int], np.ndarray]
Merge = Callable[[np.ndarray], np.ndarray]


def _each_by_its_own(inputs: np.ndarray, *kernels: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(inputs @ kernel for kernel in kernels)


def _projected(inputs: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    return inputs @ kernel


def _multi_head(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    by_head: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    split: Split = separate_heads,
    merge: Merge = combine_heads,
    heads: Callable[[int], int] = lambda number: number,
    by_key: Callable[[np.ndarray], np.ndarray] = lambda mask: mask[:, None, None, :],
    project: Callable[..., tuple[np.ndarray, ...]] = _each_by_its_own,
    seen: Callable[[np.ndarray], np.ndarray] = lambda heads: heads,
    last: Callable[[np.ndarray, np.ndarray], np.ndarray] = _projected,
    added: Callable[[np.ndarray], np.ndarray | float] = lambda inputs: 0.0,
    biases: Sequence[str] = (),
    fixed_axes: Sequence[str] = (),
    **attention: Callable,
) -> Outputs:
    """The right layer but for its parts: how heads are separated and combined and how many there
    are, which axis the mask is given, what makes queries, keys and values of the inputs, which
    heads are combined, the last projection, what is added to it, and the parts of the attention
    itself."""
    projected = project(inputs, query_kernel, key_kernel, value_kernel)
    query, key, value = (split(x, heads(num_heads)) for x in projected)
    attended = _attend(query, key, value, None if mask is None else by_key(mask), **attention)
    return {
        "output": last(merge(seen(attended["output"])), output_kernel) + added(inputs),
        "separated": split(inputs, num_heads),
        "combined": merge(by_head),
        "biases": list(biases),
        "fixed_axes": list(fixed_axes),
    }


def _batch_reshape(x: np.ndarray, num_heads: int) -> np.ndarray:
    batch, time, size = x.shape
    return x.reshape(batch, num_heads, time, size // num_heads)


def _flat_reshape(x: np.ndarray) -> np.ndarray:
    batch, heads, time, depth = x.shape
    return x.reshape(batch, time, heads * depth)


def _in_the_last_axes(x: np.ndarray, num_heads: int) -> np.ndarray:
    batch, time, size = x.shape
    return x.reshape(batch, time, num_heads, size // num_heads)


def _last_axes_joined(x: np.ndarray) -> np.ndarray:
    return x.reshape(*x.shape[:2], -1)


def _overlapping(x: np.ndarray, num_heads: int) -> np.ndarray:
    depth = x.shape[-1] // num_heads
    return np.stack([x[..., head : head + depth] for head in range(num_heads)], axis=1)


def _interleaved(x: np.ndarray, num_heads: int) -> np.ndarray:
    batch, time, size = x.shape
    return x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)


def _interleaved_merge(x: np.ndarray) -> np.ndarray:
    batch, heads, time, depth = x.shape
    return x.transpose(0, 2, 3, 1).reshape(batch, time, heads * depth)


_layer = bank.parts_of("multi_head_self_attention", _multi_head)
_layer_alone = bank.parts_of("multi_head_self_attention", _multi_head, paired=False)

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
_SAID_OF_THE_LAYER_ALONE = {
    "divided_by_sum": _INHERITED + "the logits are divided by their sum.",
    "padding_raised": _INHERITED + "the logits of padding become the largest.",
}
for _known in bank.of("attention.scaled_dot_product_attention"):
    if _known.name in _SAID_OF_THE_LAYER:
        _layer(_known.name, _SAID_OF_THE_LAYER[_known.name], section=4, **_known.parts)

_layer_alone(
    "scaled_after_softmax",
    _INHERITED + "the scaling comes after the softmax.",
    section=4,
    **_SCALED_AFTERWARDS,
)
_layer_alone(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the keys must sum to 1.",
    normalise=lambda logits: softmax(logits, axis=1),
)
for _known in bank.of("attention.scaled_dot_product_attention"):
    if _known.name in _SAID_OF_THE_LAYER_ALONE:
        _layer_alone(_known.name, _SAID_OF_THE_LAYER_ALONE[_known.name], section=4, **_known.parts)

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
_layer_alone(
    "heads_not_moved",
    "Heads were separated, but their axis stayed behind that of time: the heads of one token "
    "attend to one another, and no token to another.",
    split=_in_the_last_axes,
    merge=_last_axes_joined,
    hide=_unmasked,  # no mask fits, and that a program fails says nothing of why
)
_layer_alone(
    "overlapping_heads",
    "Head h got the columns from h on: heads overlap, and the last columns are never seen. Where "
    "does each head begin?",
    split=_overlapping,
)
_layer_alone(
    "combined_by_column",
    "Combining put the first column of all heads first, then the second ones: the columns of one "
    "head stay side by side.",
    merge=_interleaved_merge,
)
_layer_alone(
    "first_head_again",
    "Every head is the first one over again: does each turn of the loop take a head of its own?",
    seen=lambda heads: np.repeat(heads[:, :1], heads.shape[1], axis=1),
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
_layer_alone(
    "output_activated",
    "The last projection has an activation, which cut all negative numbers off: it has to be "
    "linear.",
    last=lambda combined, kernel: np.maximum(combined @ kernel, 0.0),
)
_layer(
    "no_value_projection",
    "The values were not projected: value_linear is missing.",
    project=lambda inputs, query, key, value: (inputs @ query, inputs @ key, inputs),
)
_layer(
    "keys_as_values",
    "Keys and values come from the same projection: each has its own.",
    project=lambda inputs, query, key, value: (inputs @ query, inputs @ key, inputs @ key),
)
_layer_alone(
    "queries_as_keys",
    "Queries and keys come from the same projection: each has its own.",
    project=lambda inputs, query, key, value: (inputs @ query, inputs @ query, inputs @ value),
)
_layer_alone(
    "one_projection_after_another",
    "Keys were made of the queries, and values of the keys: all three projections start from the "
    "inputs.",
    project=lambda inputs, query, key, value: (
        inputs @ query,
        inputs @ query @ key,
        inputs @ query @ key @ value,
    ),
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
_layer(
    "fixed_axes",
    "The layer fails in a model that leaves batch and time open, where a tensor's shape holds "
    "None: which function gives the sizes while the layer runs?",
    fixed_axes=FIXED_AXES,
)
