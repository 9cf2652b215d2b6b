"""Parts of mistakes about the encoder layer, not of solutions, and mistakes in its network, sums,
masks and in what is dropped: by name what each costs, its hint, and the edits of the solution. Then
what the classifier says of them, and mistakes in its own mask."""

from __future__ import annotations

import numpy as np
from scipy.special import erf

from autograder.judging.keys import IDEA, PART, SLIP

_FIRST_SUM = "inputs + kept[0] * self_attention(inputs, num_heads, mask, w)"

SUMS = {
    "second_sum_adds_the_first_sum": (
        SLIP,
        "The second sum adds what went into the first norm: add what came out of it.",
        "x + kept[1]",
        f"{_FIRST_SUM} + kept[1]",
    ),
    "network_reads_the_first_sum": (
        SLIP,
        "The network gets what went into the first norm: give it what came out.",
        "feed_forward(x, w)",
        f"feed_forward({_FIRST_SUM}, w)",
    ),
    "network_reads_the_attention": (
        SLIP,
        "The network gets what attention gives: it should come after the first norm.",
        "feed_forward(x, w)",
        "feed_forward(self_attention(inputs, num_heads, mask, w), w)",
    ),
    "attention_added_again": (
        SLIP,
        "The second sum adds what attention gives: it should add the network's input.",
        "x + kept[1]",
        "self_attention(inputs, num_heads, mask, w) + kept[1]",
    ),
    "inputs_added_again": (
        SLIP,
        "The second sum adds the layer's inputs as well: it has only two parts.",
        "x + kept[1]",
        "x + inputs + kept[1]",
    ),
}

RELUS = {
    "gelu": (
        SLIP,
        "The network's activation is gelu: the task asks for relu.",
        "np.maximum(hidden, 0)",
        "gelu(hidden)",
    ),
    "relu_twice": (
        SLIP,
        "There's also a relu after the network's second layer: only the first one should have one.",
        "feed_forward(x, w)",
        "np.maximum(feed_forward(x, w), 0)",
    ),
    "relu_at_the_end": (
        SLIP,
        "The relu comes after the network's second layer: it belongs between the two layers.",
        "np.maximum(hidden, 0)",
        "hidden",
        "feed_forward(x, w)",
        "np.maximum(feed_forward(x, w), 0)",
    ),
}

HIDDEN_UNITS = {
    "hidden_units_dropped": (
        SLIP,
        "Dropout comes too early in the network's half: the task asks for it on the network's "
        "output.",
        "kept[1] * feed_forward(x, w)",
        "feed_forward(x, {**w, 'kept': kept[1]})",
        "np.maximum(hidden, 0)",
        "w['kept'] * np.maximum(hidden, 0)",
    ),
    "hidden_units_dropped_too": (
        SLIP,
        "In the network's half, dropout also acts before the output: only what attention and the "
        "network give should be dropped.",
        "dropout(rate, 2,",
        "dropout(rate, 3,",
        "feed_forward(x, w)",
        "feed_forward(x, {**w, 'kept': kept[2]})",
        "np.maximum(hidden, 0)",
        "w['kept'] * np.maximum(hidden, 0)",
    ),
}


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the share of a standard normal distribution below it: a part of mistakes, not of
    solutions."""
    return x * (1 + erf(x / np.sqrt(2))) / 2


def approximate_gelu(x: np.ndarray) -> np.ndarray:
    """What ``keras.ops.gelu`` gives unless it's asked for more: a hyperbolic tangent takes the
    place of the distribution."""
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2


def batch_norm(
    x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, chances: np.ndarray
) -> np.ndarray:
    """As Keras has it before any training, when the mean is 0 and the variance 1; in training, of
    all outcomes of a token: a part of mistakes, not of solutions."""
    mean, variance = 0.0, 1.0
    if len(chances) > 1:
        outcomes = x.reshape(-1, len(chances), *x.shape[1:])
        weights = chances[:, None, None] / (chances.sum() * x.shape[1])
        mean = (weights * outcomes).sum(axis=(1, 2), keepdims=True)
        variance = (weights * (outcomes - mean) ** 2).sum(axis=(1, 2), keepdims=True)
        mean, variance = (np.repeat(part[:, 0], len(chances), axis=0) for part in (mean, variance))
    return gamma * (x - mean) / np.sqrt(variance + 1e-3) + beta


def by_feature(kept: np.ndarray, size: int) -> np.ndarray:
    """Factors of a sum whose second feature is dropped or kept on its own: a part of mistakes, not
    of solutions."""
    factors = np.repeat(kept[0], size, axis=-1)
    factors[..., 1:2] = kept[2]
    return factors


_ATTENTION = "self_attention(inputs, num_heads, mask, w)"

RATES = {
    "share_kept_for_share_dropped": (
        SLIP,
        "The rate is read the other way round: it's the share that is dropped, not the one that is "
        "kept.",
        "dropout(rate,",
        "dropout(rate if rate is None else 1 - rate,",
    )
}
MASKS = {
    "mask_in_training_alone": (
        PART,
        "When predicting, padding still gets weight: the mask isn't used there, or it masks the "
        "queries' axis instead of the keys'.",
        _ATTENTION,
        "self_attention(inputs, num_heads, None if rate is None else mask, w)",
    ),
    "padding_set_to_zero": (
        IDEA,
        "Padding is set to zeros before attention: what was in it no longer matters, but zeros "
        "still get weight. Give attention the mask.",
        _ATTENTION,
        "self_attention(inputs if mask is None else inputs * mask[..., None], num_heads, None, w)",
    ),
    "mask_of_the_first_text": (
        SLIP,
        "All texts of the batch get the first one's mask: each has its own.",
        "mask[:, None, None, :]",
        "mask[:1, None, None, :]",
    ),
    "square_mask_read_otherwise": (
        SLIP,
        "With as many texts as tokens, you read the mask as one for queries and keys: it always "
        "has one row per text.",
        "mask[:, None, None, :]",
        "(mask[:, None, None, :] if len(mask) != mask.shape[1] else mask[None, None])",
    ),
    "mask_without_an_axis": (
        SLIP,
        "The attention gets the mask as it is, (texts, tokens), and reads it as (queries, keys): "
        "it needs an axis for the queries in between.",
        "mask[:, None, None, :]",
        "np.broadcast_to(mask, (mask.shape[1], mask.shape[1]))",
    ),
    "mask_unused_in_training": (
        PART,
        "In training, you don't use the mask: tokens mustn't attend to padding then, either.",
        _ATTENTION,
        "self_attention(inputs, num_heads, mask if rate is None else None, w)",
    ),
    "mask_guessed_from_zeros": (
        SLIP,
        "Without a mask, tokens of zeros are hidden: if the mask is None, every token counts.",
        _ATTENTION,
        "self_attention(inputs, num_heads, inputs.any(axis=-1) if mask is None else mask, w)",
    ),
    "tokens_of_zeros_hidden": (
        SLIP,
        "Tokens of zeros are hidden: only the mask says what is padding.",
        _ATTENTION,
        "self_attention(inputs, num_heads, inputs.any(axis=-1) & (True if mask is None else mask)"
        ", w)",
    ),
    "a_lone_token_left_alone": (
        SLIP,
        "A text of one token gets no attention: it attends to itself, like any other token.",
        _ATTENTION,
        f"(inputs.shape[1] > 1) * {_ATTENTION}",
    ),
}

MASK_BY_NAME = (
    "Hand the mask over by its name: where it's None, Keras passes a mask on by itself, "
    "and one that has its place among the arguments arrives twice."
)
"""Said of a layer that calls another one."""

NETWORK_ADDED_TO_ITSELF = (
    "network_added_to_itself",
    "The feed-forward network's input isn't added to its output. Either that is added to itself, "
    "or nothing is added, and nothing is dropped.",
    "x + kept[1]",
    "(1 + kept[1])",
)
"""Of every layer whose second half is this sum: its name, its hint and its edit."""

_ASK_EACH = "padding can be before or between tokens, so check whether each id is 0."

MASKS_OF_IDS = (
    (
        "tokens_counted_for_the_mask",
        "The mask is True for the first tokens of a text, as many as it has: " + _ASK_EACH,
        "np.arange(ids.shape[1]) < (ids != 0).sum(axis=1)[:, None]",
    ),
    (
        "masked_from_the_first_padding_on",
        "The mask hides everything from the first padding on: " + _ASK_EACH,
        "np.cumprod(ids != 0, axis=1) > 0",
    ),
    (
        "padding_before_tokens_unmasked",
        "The mask only hides padding at the end of a text: " + _ASK_EACH,
        "np.cumsum((ids != 0)[:, ::-1], axis=1)[:, ::-1] > 0",
    ),
)

# Without their second norm, layers differ, but the probabilities of their outputs are all 0 and 1.
_NO_NORM_AT_THE_END = "the layer doesn't end with a norm over each token's features."

SAID_OF_THE_LAYER = {
    "no_first_residual": "the inputs aren't added to the attention output.",
    "no_second_residual": "the network's input isn't added to its output.",
    "no_residuals": "there is no residual connection.",
    "no_first_norm": "the first norm is missing.",
    "no_second_norm": _NO_NORM_AT_THE_END,
    "pre_norm": _NO_NORM_AT_THE_END,
    "norm_before_the_sum": _NO_NORM_AT_THE_END,
    "network_reads_the_inputs": "the network gets the layer's inputs.",
    "inputs_added_twice": "the second sum adds the layer's inputs.",
    "no_relu": "the network has no relu.",
    "causal": "tokens attend only to themselves and earlier tokens.",
    "mask_multiplied": "masked logits become 0.",
    "mask_after_softmax": "padding has a share in the softmax.",
    "pre_norm_without_the_inputs": _NO_NORM_AT_THE_END,
    "no_attention": "attention is never called.",
    "relu_twice": "the network has one relu too many.",
    "norm_over_the_text": "the norms run over the whole text.",
    "mask_inverted": "the mask is read the wrong way round.",
    "mask_of_the_first_text": "all texts get the first one's mask.",
}

LAST_STEPS = {
    "softmax_twice": (
        "There are two softmaxes, one after the other, which makes the probabilities almost equal.",
        "softmax(pooled @ class_kernel + class_bias)",
        "softmax(softmax(pooled @ class_kernel + class_bias))",
    ),
    "tokens_counted_for_the_mean": (
        "The mean is that of the first vectors, as many as the text has tokens: " + _ASK_EACH,
        "masked_mean(encoded, mask)",
        "masked_mean(encoded, np.arange(mask.shape[1]) < mask.sum(axis=1)[:, None])",
    ),
    "mean_up_to_the_last_token": (
        "The mean counts everything up to the last token: " + _ASK_EACH,
        "masked_mean(encoded, mask)",
        "masked_mean(encoded, np.cumsum(mask[:, ::-1], axis=1)[:, ::-1] > 0)",
    ),
}
"""What the classifier makes of what its encoder gives."""

_ELSEWHERE = "nowhere_else if inside else", "ELSEWHERE if inside else"
DROPPED_ELSEWHERE = {
    "embeddings_dropped": (
        "The embeddings are dropped in training as well: the task asks for dropout after the mean, "
        "and the encoder has its own.",
        *_ELSEWHERE,
    ),
    "tokens_dropped": (
        "Dropout comes before the mean: the task asks for it after the mean.",
        "dropout(rate, 1, 1)",
        # One place per token of the text.
        "dropout(rate, 5, 1)\n"
        "    encoded = encoded * kept[:, :, 0, 0].T[:, :, None] if rate else encoded",
        " * kept[0, :, 0]",
        "",
        *_ELSEWHERE,
    ),
}
"""What the classifier drops, in training, elsewhere than in the mean and in its encoder."""
