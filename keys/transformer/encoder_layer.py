"""The key of ``transformer.encoder_layer``."""

from __future__ import annotations

from functools import partial
from math import erf

import numpy as np

from autograder.judging.keys import Key
from course.exercises.transformer.encoder_layer import EXERCISE
from keys.transformer.common import (
    feed_forward,
    layer_norm,
    self_attention,
)


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the share of a standard normal distribution below it: a part of mistakes, not of
    solutions."""
    return x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2


def encoder_layer(
    inputs: np.ndarray, num_heads: int, mask: np.ndarray | None = None, **w: np.ndarray
) -> dict[str, np.ndarray]:
    """LayerNorm(x + Sublayer(x)) twice, section 3.1, without dropout.

    Args:
        inputs: (batch, time, embedding_dim).
        num_heads: H, a divisor of embedding_dim.
        mask: padding mask (batch, time); True is a token.
        w: kernels, biases, gammas and betas.

    Returns:
        output: (batch, time, embedding_dim).
    """
    norm_1 = partial(layer_norm, gamma=w["gamma_1"], beta=w["beta_1"])
    norm_2 = partial(layer_norm, gamma=w["gamma_2"], beta=w["beta_2"])
    x = norm_1(inputs + self_attention(inputs, num_heads, mask, w))
    return {"output": norm_2(x + feed_forward(x, w))}


KEY = Key(EXERCISE, encoder_layer)

KEY.mistake(
    "no_first_residual",
    "The inputs aren't added to the attention output.",
    "inputs + self_attention",
    "self_attention",
)
KEY.mistake(
    "no_second_residual",
    "The feed-forward network's input isn't added to its output.",
    "x + feed_forward",
    "feed_forward",
)
KEY.mistake(
    "no_residuals",
    "There is no residual connection: each half should add its input to its output.",
    "inputs + self_attention",
    "self_attention",
    "x + feed_forward",
    "feed_forward",
)
KEY.mistake(
    "no_first_norm",
    "The first layer normalisation is missing.",
    "norm_1(inputs +",
    "(inputs +",
)
KEY.mistake(
    "no_second_norm",
    "The second layer normalisation is missing.",
    "norm_2(x +",
    "(x +",
)
KEY.mistake(
    "pre_norm",
    "The norms come before attention and before the network (pre-norm); the task asks for them "
    "after the sums.",
    "norm_1(inputs + self_attention(inputs",
    "(inputs + self_attention(norm_1(inputs)",
    "norm_2(x + feed_forward(x",
    "(x + feed_forward(norm_2(x)",
)
KEY.mistake(
    "norm_before_the_sum",
    "Each norm is applied to the sub-layer's output, and the input is added afterwards: it's "
    "the sum that must be normalised.",
    "norm_1(inputs +",
    "inputs + norm_1(",
    "norm_2(x +",
    "x + norm_2(",
)
KEY.mistake(
    "network_reads_the_inputs",
    "The feed-forward network gets the layer's inputs: it should come after the first norm.",
    "feed_forward(x, w)",
    "feed_forward(inputs, w)",
)
KEY.mistake(
    "inputs_added_twice",
    "The second sum adds the layer's inputs; it should add the network's input.",
    "x + feed_forward",
    "inputs + feed_forward",
)
KEY.mistake(
    "no_relu",
    "The feed-forward network has no relu between its two layers.",
    "np.maximum(hidden, 0)",
    "hidden",
)
KEY.mistake(
    "batch_normalisation",
    "Batch normalisation was used instead of layer normalisation: its means and variances come "
    "from other texts, not from the token itself.",
    # As Keras predicts before any training: the mean is 0, the variance 1.
    "centred / np.sqrt(variance + EPSILON)",
    "x / np.sqrt(1 + 1e-3)",
)
KEY.mistake(
    "no_scaling",
    "The logits weren't scaled: the square root of one head's depth is missing.",
    "/ np.sqrt(key.shape[-1])",
    "",
)
KEY.mistake(
    "mask_ignored",
    "Padding still gets weight: the mask doesn't reach the attention, or it masks the queries' "
    "axis instead of the keys'.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
KEY.mistake(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
)
KEY.mistake(
    "causal",
    "Tokens attend only to themselves and earlier tokens (a causal mask); in an encoder, they "
    "attend to all tokens.",
    # Padding stands at the end, so no token sees it then, whatever else is wrong about the mask.
    "logits if mask is None else np.where(mask, logits, -1e9)",
    "np.where(np.tri(logits.shape[-1]) * (1 if mask is None else mask), logits, -1e9)",
)
KEY.mistake(
    "mask_multiplied",
    "The mask sets the logits of padding to 0, but the softmax still gives a logit of 0 some "
    "weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
KEY.mistake(
    "mask_after_softmax",
    "The mask is applied after the softmax, so the weights of a padded text sum to less than 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "weights @ value",
    "(weights if mask is None else weights * mask) @ value",
)

# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_layer_alone = partial(KEY.mistake, alone=True)

_layer_alone(
    "no_norms",
    "Both layer normalisations are missing: each half should end with one.",
    "norm_1(inputs +",
    "(inputs +",
    "norm_2(x +",
    "(x +",
)
_layer_alone(
    "pre_norm_without_the_inputs",
    "The norms come before attention and before the network, and their outputs are also what "
    "is added; the task asks for the norms after the sums.",
    "norm_1(inputs + self_attention(inputs",
    "(norm_1(inputs) + self_attention(norm_1(inputs)",
    "norm_2(x + feed_forward(x",
    "(norm_2(x) + feed_forward(norm_2(x)",
)
_layer_alone(
    "no_attention",
    "Attention was never called: only the layer's feed-forward half is left.",
    "inputs + self_attention(inputs, num_heads, mask, w)",
    "inputs",
)
_layer_alone(
    "no_network",
    "The feed-forward network was never called.",
    "norm_2(x + feed_forward(x, w))",
    "x",
)
_layer_alone(
    "norm_before_the_first_sum",
    "The first norm is applied to the attention output, and the inputs are added afterwards: "
    "it's the sum that must be normalised.",
    "norm_1(inputs +",
    "inputs + norm_1(",
)
_layer_alone(
    "gelu",
    "The network's activation is gelu: the task asks for relu.",
    "np.maximum(hidden, 0)",
    "gelu(hidden)",
)
_layer_alone(
    "relu_twice",
    "There's also a relu after the network's second layer: only the first one should have one.",
    "feed_forward(x, w)",
    "np.maximum(feed_forward(x, w), 0)",
)
_layer_alone(
    "relu_at_the_end",
    "The relu comes after the network's second layer: it belongs between the two layers.",
    "np.maximum(hidden, 0)",
    "hidden",
    "feed_forward(x, w)",
    "np.maximum(feed_forward(x, w), 0)",
)
_layer_alone(
    "one_norm_for_both",
    "The same norm is used in both places: each place needs its own.",
    "norm_2(x +",
    "norm_1(x +",
)
_layer_alone(
    "norms_swapped",
    "The two norms are swapped.",
    "norm_1(inputs +",
    "norm_2(inputs +",
    "norm_2(x +",
    "norm_1(x +",
)
_layer_alone(
    "norm_over_the_text",
    "You normalised over the whole text: layer normalisation treats each token on its own, "
    "over its features.",
    "x.mean(axis=-1",
    "x.mean(axis=(1, 2)",
    "(centred**2).mean(axis=-1",
    "(centred**2).mean(axis=(1, 2)",
)
_layer_alone(
    "scaled_by_embedding_dim",
    "The logits were scaled by the square root of embedding_dim: inside a head, vectors only "
    "have the depth of one head.",
    "np.sqrt(key.shape[-1])",
    "np.sqrt(key.shape[1] * key.shape[-1])",
)
_layer_alone(
    "minus_infinity",
    "Masked logits became minus infinity, so a sample that's all padding has nothing left to "
    "divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
)
_layer_alone(
    "unstable_softmax",
    "The exponentials overflow for large logits: use a stable softmax.",
    # A sample that is all padding has some numbers: they are free, but have to be finite.
    "softmax(logits)",
    "unshifted_softmax(np.maximum(logits, -80))",
)
