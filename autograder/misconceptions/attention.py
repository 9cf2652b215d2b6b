"""What people get wrong about attention."""

from __future__ import annotations

from functools import partial

from autograder.misconceptions.bank import Bank

bank = Bank("attention")

# --- average_attention ---------------------------------------------------------------------------

_average = partial(bank.mistake, "average_attention")

# Of mistakes that a scale makes no difference to, so that they are not paired with a wrong one.
_UNSCALED = ("/ np.sqrt(hidden.shape[-1])", "")

_average(
    "unscaled_scores",
    "The scores were not scaled: look at what d does to their spread.",
    *_UNSCALED,
)
_average(
    "scores_divided_by_d",
    "The scores were divided by d itself; the formula takes its root.",
    "np.sqrt(hidden.shape[-1])",
    "hidden.shape[-1]",
)
_average(
    "scores_scaled_by_time",
    "The scores were scaled by the number of time steps: d is the size of one hidden state.",
    "hidden.shape[-1]",
    "hidden.shape[1]",
)
_average(
    "softmax_over_batch",
    "The softmax ran over the batch: the weights of one sample's time steps must sum to 1.",
    "softmax(scores, axis=1)",
    "softmax(scores, axis=0)",
)
_average(
    "scores_as_weights",
    "The scores themselves served as weights: a softmax is missing.",
    "softmax(scores, axis=1)",
    "scores",
)
_average(
    "unstable_pooling",
    "The exponentials overflow for large scores: use a stable softmax.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores, axis=1)",
)
_average(
    "one_sum_for_all_samples",
    "The exponentials were divided by one sum over the whole batch: each sample's weights need a "
    "sum of their own.",
    "softmax(scores, axis=1)",
    "unshifted_softmax(scores, axis=None)",
)
_average(
    "scores_over_their_sum",
    "The scores were divided by their sum: weights need a softmax, which keeps them positive.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "scores / scores.sum(axis=1, keepdims=True)",
)
_average(
    "plain_mean",
    "Every time step got the same weight: the context was not used.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "np.full_like(scores, 1 / scores.shape[1])",
)
_average(
    "softmax_over_one_score",
    "Every weight is 1: the softmax ran over an axis of size 1, where there is nothing to share.",
    *_UNSCALED,
    "softmax(scores, axis=1)",
    "np.ones_like(scores)",
)
_average(
    "weighted_mean_of_mean",
    "The weighted hidden states were averaged once more: they only sum.",
    ".sum(axis=1)}",
    ".mean(axis=1)}",
)
_average(
    "summed_over_features",
    "The sum ran over the features, and one number is left of each time step: which axis shall "
    "vanish?",
    ".sum(axis=1)}",
    ".sum(axis=-1)}",
)
_average(
    "summed_over_samples",
    "The sum ran over the samples, and mixed texts that have nothing to do with each other: which "
    "axis shall vanish?",
    ".sum(axis=1)}",
    ".sum(axis=0)}",
)
_average(
    "softmax_over_features",
    "The products were not summed over the features, and the softmax ran over these: a time step "
    "has one score, and the time steps share the weights.",
    "hidden @ context",
    "hidden * context",
    "softmax(scores, axis=1)",
    "softmax(scores)",
    "weights[..., None]",
    "weights",
    alone=True,
)
_average(
    "score_for_each_feature",
    "Every feature got a score and weights of its own: a dot product sums over the features, so "
    "that a time step has one score.",
    "hidden @ context",
    "hidden * context",
    "weights[..., None]",
    "weights",
    alone=True,
)

# --- scaled_dot_product_attention ----------------------------------------------------------------

_attend = partial(bank.mistake, "scaled_dot_product_attention")

_attend(
    "no_scaling",
    "The logits were not scaled: compare their spread with the simulation of the root of d_k.",
    "/ np.sqrt(key.shape[-1])",
    "",
    section=3,
)
_attend(
    "divided_by_d_k",
    "The logits were divided by d_k itself, which makes the weights too even: which power of d_k "
    "is the logits' standard deviation?",
    "np.sqrt(key.shape[-1])",
    "key.shape[-1]",
    section=3,
)
_attend(
    "multiplied_by_root",
    "The logits were multiplied by the root of d_k: scaling has to make them smaller.",
    "/ np.sqrt(key.shape[-1])",
    "* np.sqrt(key.shape[-1])",
    section=3,
)
_attend(
    "divided_by_half_of_d_k",
    "The logits were divided by half of d_k, not by its root: which comes first, the power or the "
    "division?",
    "np.sqrt(key.shape[-1])",
    "(key.shape[-1] / 2)",
    section=3,
    alone=True,
)
_attend(
    "scaled_after_softmax",
    "The weights were divided by the root of d_k and sum to less than 1: it is the logits that are "
    "scaled, before the softmax.",
    "/ np.sqrt(key.shape[-1])",
    "",
    "softmax(logits)",
    "softmax(logits) / np.sqrt(key.shape[-1])",
    section=3,
    alone=True,
)
_attend(
    "scaled_by_queries",
    "The logits were scaled by the number of queries: d_k is the last axis of the keys.",
    "key.shape[-1]",
    "query.shape[-2]",
    section=3,
)
_attend(
    "scaled_by_keys",
    "The logits were scaled by the number of keys: d_k is the last axis of the keys.",
    "key.shape[-1]",
    "key.shape[-2]",
    section=3,
)
_attend(
    "scaled_by_batch",
    "The logits were scaled by the batch size: d_k is the last axis of the keys.",
    "key.shape[-1]",
    "key.shape[0]",
    section=3,
)
_attend(
    "scaled_by_d_v",
    "The logits were scaled by the depth of the values: which two vectors does the dot product "
    "multiply?",
    "key.shape[-1]",
    "value.shape[-1]",
    section=3,
)
_attend(
    "softmax_over_queries",
    "The softmax ran over the queries: for each query, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=-2)",
    section=2,
)
_attend(
    "softmax_over_axis_one",
    "The softmax ran over the second axis, whatever that is: the weights of the keys must sum to "
    "1, and the keys are the last axis, with heads in front or without.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    section=2,
    alone=True,
)
_attend(
    "softmax_over_axis_two",
    "The softmax ran over a fixed axis: with heads in front, that axis is another one.",
    "softmax(logits)",
    "softmax(logits, axis=2)",
)
_attend(
    "no_softmax",
    "The logits themselves served as weights: a softmax is missing.",
    "softmax(logits)",
    "logits",
    section=2,
)
_attend(
    "divided_by_sum",
    "The logits were divided by their sum: weights need a softmax, which keeps them positive.",
    "softmax(logits)",
    "logits / logits.sum(axis=-1, keepdims=True)",
    section=2,
)
_attend(
    "one_sum_for_all_queries",
    "The exponentials were divided by one sum over the whole array: each query's weights need a "
    "sum of their own.",
    "softmax(logits)",
    "unshifted_softmax(logits, axis=None)",
    section=2,
    alone=True,
)
_attend(
    "sigmoid_weights",
    "A sigmoid took the place of the softmax: the weights of one query must compete.",
    "softmax(logits)",
    "1 / (1 + np.exp(-logits))",
    section=2,
)
_attend(
    "unstable_softmax",
    "The exponentials overflow for large logits: use a stable softmax.",
    "softmax(logits)",
    "unshifted_softmax(logits)",
)
_attend(
    "mask_ignored",
    "The mask was not used: padding still receives weight.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
_attend(
    "mask_inverted",
    "The mask was read the other way round: True means that a key may be attended to.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
)
_attend(
    "padding_raised",
    "The mask lifted the logits of hidden keys instead of lowering them: only padding is attended "
    "to. Which sign must the large number have?",
    "-1e9",
    "1e9",
)
_attend(
    "barely_hidden",
    "The number that hides a logit is not low enough, as other logits can be lower still: take one "
    "that none of them reaches.",
    "-1e9",
    "-20.0",
    alone=True,
)
_attend(
    "mask_with_an_axis_too_many",
    "The mask got one more axis, and so did the logits: it comes in a shape that fits them.",
    # Other masks than for padding fit nowhere, and that a program fails says nothing of why.
    "np.where(mask, logits, -1e9)",
    "np.where(mask if mask.ndim < 3 else mask[:, None], logits, -1e9)",
    alone=True,
)
_attend(
    "mask_multiplied",
    "The mask made the logits of hidden keys 0, and the softmax gives a logit of 0 a weight: what "
    "must a logit be for a weight of 0?",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
_attend(
    "mask_after_softmax",
    "The mask came after the softmax, so that the remaining weights no longer sum to 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "return {",
    "weights = weights if mask is None else weights * mask; return {",
)
_attend(
    "minus_infinity",
    "Hidden logits became minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
)
_attend(
    "keys_blended",
    "The weights blended the keys: these say where to look, and the values what is handed over.",
    "weights @ value",
    "weights @ key",
    section=2,
    alone=True,
)
_attend(
    "swapped_returns",
    "The two results are swapped: the output comes first, then the weights.",
    '"output": weights @ value, "weights": weights',
    '"weights": weights @ value, "output": weights',
)
_attend(
    "logits_returned",
    "The first result is right, but the second holds the logits: return what the softmax gave.",
    '"weights": weights',
    '"weights": logits',
)
_attend(
    "three_axes_only",
    "It works for three axes only: with heads in front there are four. Which two axes are to be "
    "swapped, counted from the end?",
    "transposed(key)",
    "key.transpose(0, 2, 1)",
    alone=True,
)

# --- multi_head_self_attention -------------------------------------------------------------------

_layer = partial(bank.mistake, "multi_head_self_attention")

_INHERITED = "The attention inside the layer has the mistake of the task before: "


def _inherit(name: str, hint: str, alone: bool = False) -> None:
    earlier = f"scaled_dot_product_attention.{name}"
    bank.inherit("multi_head_self_attention", name, hint, earlier, section=4, alone=alone)


for _name, _hint in {
    "no_scaling": _INHERITED + "the logits are not scaled.",
    "divided_by_d_k": _INHERITED + "the logits are divided by the depth, not by its root.",
    "softmax_over_queries": _INHERITED + "the softmax runs over the queries.",
    "no_softmax": _INHERITED + "the softmax is missing.",
    "unstable_softmax": _INHERITED + "the exponentials overflow.",
    "mask_ignored": "The padding mask does not reach the attention: padding still receives weight.",
    "mask_inverted": "The mask is read the other way round: True is a token, False is padding.",
    "mask_multiplied": _INHERITED + "hidden logits become 0.",
    "mask_after_softmax": _INHERITED + "the mask comes after the softmax.",
    "minus_infinity": _INHERITED + "hidden logits become minus infinity.",
}.items():
    _inherit(_name, _hint)

_inherit("scaled_after_softmax", _INHERITED + "the scaling comes after the softmax.", alone=True)
_layer(
    "softmax_over_heads",
    "The softmax runs over the heads: in each head, the weights of the keys must sum to 1.",
    "softmax(logits)",
    "softmax(logits, axis=1)",
    alone=True,
)
_inherit("divided_by_sum", _INHERITED + "the logits are divided by their sum.", alone=True)
_inherit("padding_raised", _INHERITED + "the logits of padding become the largest.", alone=True)
_layer(
    "mask_on_queries",
    "The mask hides the queries' axis: it is the keys that must not be attended to.",
    "mask[:, None, None, :]",
    "mask[:, None, :, None]",
)
_layer(
    "scaled_by_hidden_size",
    "The logits are scaled by the root of hidden_size: inside a head, d_k is the depth of one "
    "head.",
    "np.sqrt(key.shape[-1])",
    "np.sqrt(key.shape[1] * key.shape[-1])",
)
_layer(
    "reshaped_straight",
    "Heads were separated by one reshape: it mixes time steps and columns. Reshape the last axis "
    "into (heads, depth), then move the axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
)
_layer(
    "separated_by_reshape",
    "Separating is one reshape and mixes time steps and columns, so that combining cannot undo "
    "it: reshape the last axis into (heads, depth), then move the axes.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, num_heads, time, size // num_heads)",
)
_layer(
    "combined_by_reshape",
    "Heads were combined by one reshape: the axes must move back to (batch, time, heads, depth) "
    "before it.",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, time, heads * depth)",
)
_layer(
    "heads_not_moved",
    "Heads were separated, but their axis stayed behind that of time: the heads of one token "
    "attend to one another, and no token to another.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, num_heads, size // num_heads)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.reshape(batch, heads, time * depth)",
    # No mask fits, and that a program fails says nothing of why.
    "np.where(mask, logits, -1e9)",
    "logits",
    alone=True,
)
_layer(
    "overlapping_heads",
    "Head h got the columns from h on: heads overlap, and the last columns are never seen. Where "
    "does each head begin?",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "np.stack([x[..., h : h + size // num_heads] for h in range(num_heads)], axis=1)",
    alone=True,
)
_layer(
    "combined_by_column",
    "Combining put the first column of all heads first, then the second ones: the columns of one "
    "head stay side by side.",
    "x.transpose(0, 2, 1, 3)",
    "x.transpose(0, 2, 3, 1)",
    alone=True,
)
_layer(
    "first_head_again",
    "Every head is the first one over again: does each turn of the loop take a head of its own?",
    "combine_heads(heads)",
    "combine_heads(np.repeat(heads[:, :1], num_heads, axis=1))",
    alone=True,
)
_layer(
    "interleaved_heads",
    "Each head took every H-th column: head h must see the columns h·depth to (h+1)·depth.",
    "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)",
    "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)",
    "x.transpose(0, 2, 3, 1).reshape(batch, time, heads * depth)",
)
_layer(
    "one_head",
    "There is one head over all columns: the projections were not separated into heads.",
    "separate_heads(x, num_heads) for",
    "separate_heads(x, 1) for",
)
_layer(
    "no_output_projection",
    "The heads were combined but not projected: output_linear is missing.",
    "combine_heads(heads) @ output_kernel",
    "combine_heads(heads)",
)
_layer(
    "output_activated",
    "The last projection has an activation, which cut all negative numbers off: it has to be "
    "linear.",
    "combine_heads(heads) @ output_kernel",
    "np.maximum(combine_heads(heads) @ output_kernel, 0)",
    alone=True,
)
_layer(
    "no_value_projection",
    "The values were not projected: value_linear is missing.",
    "inputs @ value_kernel",
    "inputs",
)
_layer(
    "keys_as_values",
    "Keys and values come from the same projection: each has its own.",
    "inputs @ value_kernel",
    "inputs @ key_kernel",
)
_layer(
    "queries_as_keys",
    "Queries and keys come from the same projection: each has its own.",
    "inputs @ key_kernel",
    "inputs @ query_kernel",
    alone=True,
)
_layer(
    "one_projection_after_another",
    "Keys were made of the queries, and values of the keys: all three projections start from the "
    "inputs.",
    "inputs @ key_kernel",
    "inputs @ query_kernel @ key_kernel",
    "inputs @ value_kernel",
    "inputs @ query_kernel @ key_kernel @ value_kernel",
    alone=True,
)
_layer(
    "residual_inside",
    "The inputs were added to the output: the residual connection belongs to the encoder block.",
    '"output": combine',
    '"output": inputs + combine',
)
_layer(
    "projections_with_bias",
    "The projections to queries, keys and values have a bias, which is how a dense layer comes: "
    "the task asks for matrices alone.",
    '"biases": []',
    '"biases": ["query_linear", "key_linear", "value_linear"]',
)
_layer(
    "fixed_axes",
    "The layer fails in a model that leaves batch and time open, where a tensor's shape holds "
    "None: which function gives the sizes while the layer runs?",
    '"fixed_axes": []',
    '"fixed_axes": ["batch", "time"]',
)
