"""What people get wrong about attention."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import (
    average_attention,
    combine_heads,
    scaled_dot_product_attention,
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


def _attend(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    mask: np.ndarray | None,
    scale: float | None = None,
    normalise: Callable[[np.ndarray], np.ndarray] = softmax,
) -> Outputs:
    """The right attention but for the given scale of the logits or normalisation."""
    scale = 1 / np.sqrt(key.shape[-1]) if scale is None else scale
    weights = normalise(_hidden(query @ transposed(key) * scale, mask))
    return {"output": weights @ value, "weights": weights}


@bank.add(
    "scaled_dot_product_attention",
    "The logits were not scaled: compare their spread with the simulation of the root of d_k.",
)
def no_scaling(query, key, value, mask=None):
    return _attend(query, key, value, mask, scale=1.0)


@bank.add(
    "scaled_dot_product_attention",
    "The logits were divided by d_k itself, which makes the weights too even: which power of d_k "
    "is the logits' standard deviation?",
)
def divided_by_d_k(query, key, value, mask=None):
    return _attend(query, key, value, mask, scale=1 / key.shape[-1])


@bank.add(
    "scaled_dot_product_attention",
    "The logits were multiplied by the root of d_k: scaling has to make them smaller.",
)
def multiplied_by_root(query, key, value, mask=None):
    return _attend(query, key, value, mask, scale=np.sqrt(key.shape[-1]))


@bank.add(
    "scaled_dot_product_attention",
    "The logits were scaled by the number of queries: d_k is the last axis of the keys.",
)
def scaled_by_queries(query, key, value, mask=None):
    return _attend(query, key, value, mask, scale=1 / np.sqrt(query.shape[-2]))


@bank.add(
    "scaled_dot_product_attention",
    "The logits were scaled by the number of keys: d_k is the last axis of the keys.",
)
def scaled_by_keys(query, key, value, mask=None):
    return _attend(query, key, value, mask, scale=1 / np.sqrt(key.shape[-2]))


@bank.add(
    "scaled_dot_product_attention",
    "The logits were scaled by the batch size: d_k is the last axis of the keys.",
)
def scaled_by_batch(query, key, value, mask=None):
    return _attend(query, key, value, mask, scale=1 / np.sqrt(key.shape[0]))


@bank.add(
    "scaled_dot_product_attention",
    "The logits were scaled by the depth of the values: which two vectors does the dot product "
    "multiply?",
)
def scaled_by_d_v(query, key, value, mask=None):
    return _attend(query, key, value, mask, scale=1 / np.sqrt(value.shape[-1]))


@bank.add(
    "scaled_dot_product_attention",
    "The softmax ran over the queries: for each query, the weights of the keys must sum to 1.",
)
def softmax_over_queries(query, key, value, mask=None):
    return _attend(query, key, value, mask, normalise=lambda logits: softmax(logits, axis=-2))


@bank.add(
    "scaled_dot_product_attention",
    "The softmax ran over a fixed axis: with heads in front, that axis is another one.",
)
def softmax_over_axis_two(query, key, value, mask=None):
    return _attend(query, key, value, mask, normalise=lambda logits: softmax(logits, axis=2))


@bank.add(
    "scaled_dot_product_attention", "The logits themselves served as weights: a softmax is missing."
)
def no_softmax(query, key, value, mask=None):
    return _attend(query, key, value, mask, normalise=lambda logits: logits)


@bank.add(
    "scaled_dot_product_attention",
    "The logits were divided by their sum: weights need a softmax, which keeps them positive.",
)
def divided_by_sum(query, key, value, mask=None):
    return _attend(
        query, key, value, mask, normalise=lambda logits: logits / logits.sum(-1, keepdims=True)
    )


@bank.add(
    "scaled_dot_product_attention",
    "A sigmoid took the place of the softmax: the weights of one query must compete.",
)
def sigmoid_weights(query, key, value, mask=None):
    return _attend(query, key, value, mask, normalise=lambda logits: 1 / (1 + np.exp(-logits)))


@bank.add(
    "scaled_dot_product_attention",
    "The exponentials overflow for large logits: use a stable softmax.",
)
def unstable_softmax(query, key, value, mask=None):
    return _attend(query, key, value, mask, normalise=_unstable_softmax)


@bank.add(
    "scaled_dot_product_attention",
    "The mask was not used: padding still receives weight.",
)
def mask_ignored(query, key, value, mask=None):
    return _attend(query, key, value, None)


@bank.add(
    "scaled_dot_product_attention",
    "The mask was read the other way round: True means that a key may be attended to.",
)
def mask_inverted(query, key, value, mask=None):
    return _attend(query, key, value, None if mask is None else ~mask)


@bank.add(
    "scaled_dot_product_attention",
    "The mask made the logits of hidden keys 0, and the softmax gives a logit of 0 a weight: what "
    "must a logit be for a weight of 0?",
)
def mask_multiplied(query, key, value, mask=None):
    kept = 1.0 if mask is None else mask
    return _attend(query, key, value, None, normalise=lambda logits: softmax(logits * kept))


@bank.add(
    "scaled_dot_product_attention",
    "The mask came after the softmax, so that the remaining weights no longer sum to 1.",
)
def mask_after_softmax(query, key, value, mask=None):
    kept = 1.0 if mask is None else mask
    return _attend(query, key, value, None, normalise=lambda logits: softmax(logits) * kept)


@bank.add(
    "scaled_dot_product_attention",
    "Hidden logits became minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
)
def minus_infinity(query, key, value, mask=None):
    return scaled_dot_product_attention(query, key, value, mask)


@bank.add(
    "scaled_dot_product_attention",
    "The two results are swapped: the output comes first, then the weights.",
)
def swapped_returns(query, key, value, mask=None):
    right = _attend(query, key, value, mask)
    return {"output": right["weights"], "weights": right["output"]}


@bank.add(
    "scaled_dot_product_attention",
    "The first result is right, but the second holds the logits: return what the softmax gave.",
)
def logits_returned(query, key, value, mask=None):
    logits = query @ transposed(key) / np.sqrt(key.shape[-1])
    return _attend(query, key, value, mask) | {"weights": _hidden(logits, mask)}


# --- multi_head_self_attention -------------------------------------------------------------------

Split = Callable[[np.ndarray, int], np.ndarray]
Merge = Callable[[np.ndarray], np.ndarray]


def _multi_head(
    inputs: np.ndarray,
    num_heads: int,
    query_kernel: np.ndarray,
    key_kernel: np.ndarray,
    value_kernel: np.ndarray,
    output_kernel: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    attend: Callable[..., Outputs] = _attend,
    split: Split = separate_heads,
    merge: Merge = combine_heads,
    by_key: Callable[[np.ndarray], np.ndarray] = lambda mask: mask[:, None, None, :],
) -> Outputs:
    """The right layer but for one of its parts."""
    query, key, value = (
        split(inputs @ kernel, num_heads) for kernel in (query_kernel, key_kernel, value_kernel)
    )
    heads = attend(query, key, value, None if mask is None else by_key(mask))["output"]
    return {
        "output": merge(heads) @ output_kernel,
        "separated": split(inputs, num_heads),
        "recombined": merge(split(inputs, num_heads)),
    }


def _with(hint: str, variant: Callable[..., Outputs], **parts: Callable) -> None:
    """Register a layer that is right but for the given parts."""

    def layer(**inputs):
        return _multi_head(**inputs, **parts)

    layer.__name__ = variant.__name__
    bank.add("multi_head_self_attention", hint)(layer)


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


_INHERITED = "The attention inside the layer has the mistake of the task before: "
_with(_INHERITED + "the logits are not scaled.", no_scaling, attend=no_scaling)
_with(_INHERITED + "the logits are divided by the depth, not by its root.", divided_by_d_k,
      attend=divided_by_d_k)  # fmt: skip
_with(_INHERITED + "the softmax runs over the queries.", softmax_over_queries,
      attend=softmax_over_queries)  # fmt: skip
_with(_INHERITED + "the softmax is missing.", no_softmax, attend=no_softmax)
_with(_INHERITED + "hidden logits become 0.", mask_multiplied, attend=mask_multiplied)
_with(_INHERITED + "the mask comes after the softmax.", mask_after_softmax,
      attend=mask_after_softmax)  # fmt: skip
_with(_INHERITED + "hidden logits become minus infinity.", minus_infinity, attend=minus_infinity)
_with(_INHERITED + "the exponentials overflow.", unstable_softmax, attend=unstable_softmax)
_with("The padding mask does not reach the attention: padding still receives weight.",
      mask_ignored, attend=mask_ignored)  # fmt: skip
_with("The mask is read the other way round: True is a token, False is padding.",
      mask_inverted, attend=mask_inverted)  # fmt: skip


@bank.add(
    "multi_head_self_attention",
    "The mask hides the queries' axis: it is the keys that must not be attended to.",
)
def mask_on_queries(**inputs):
    return _multi_head(**inputs, by_key=lambda mask: mask[:, None, :, None])


@bank.add(
    "multi_head_self_attention",
    "The logits are scaled by the root of hidden_size: inside a head, d_k is the depth of one "
    "head.",
)
def scaled_by_hidden_size(inputs, **rest):
    scale = 1 / np.sqrt(inputs.shape[-1])
    return _multi_head(
        inputs, **rest, attend=lambda q, k, v, mask: _attend(q, k, v, mask, scale=scale)
    )


@bank.add(
    "multi_head_self_attention",
    "Heads were separated by one reshape: it mixes time steps and columns. Reshape the last axis "
    "into (heads, depth), then move the axes.",
)
def reshaped_straight(**inputs):
    return _multi_head(**inputs, split=_batch_reshape, merge=_flat_reshape)


@bank.add(
    "multi_head_self_attention",
    "Separating is one reshape and mixes time steps and columns, so that combining cannot undo "
    "it: reshape the last axis into (heads, depth), then move the axes.",
)
def separated_by_reshape(**inputs):
    return _multi_head(**inputs, split=_batch_reshape)


@bank.add(
    "multi_head_self_attention",
    "Heads were combined by one reshape: the axes must move back to (batch, time, heads, depth) "
    "before it.",
)
def combined_by_reshape(**inputs):
    return _multi_head(**inputs, merge=_flat_reshape)


@bank.add(
    "multi_head_self_attention",
    "Each head took every H-th column: head h must see the columns h·depth to (h+1)·depth.",
)
def interleaved_heads(**inputs):
    return _multi_head(**inputs, split=_interleaved, merge=_interleaved_merge)


@bank.add(
    "multi_head_self_attention",
    "There is one head over all columns: the projections were not separated into heads.",
)
def one_head(num_heads, **inputs):
    output = _multi_head(num_heads=1, **inputs)["output"]
    return _multi_head(num_heads=num_heads, **inputs) | {"output": output}


@bank.add(
    "multi_head_self_attention",
    "The heads were combined but not projected: output_linear is missing.",
)
def no_output_projection(output_kernel, **inputs):
    return _multi_head(output_kernel=np.eye(len(output_kernel)), **inputs)


@bank.add(
    "multi_head_self_attention",
    "The values were not projected: value_linear is missing.",
)
def no_value_projection(value_kernel, **inputs):
    return _multi_head(value_kernel=np.eye(len(value_kernel)), **inputs)


@bank.add(
    "multi_head_self_attention",
    "Keys and values come from the same projection: each has its own.",
)
def keys_as_values(value_kernel, key_kernel, **inputs):
    return _multi_head(value_kernel=key_kernel, key_kernel=key_kernel, **inputs)


@bank.add(
    "multi_head_self_attention",
    "The inputs were added to the output: the residual connection belongs to the encoder block.",
)
def residual_inside(inputs, **rest):
    right = _multi_head(inputs, **rest)
    return right | {"output": right["output"] + inputs}
