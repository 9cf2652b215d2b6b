"""What people get wrong about positions, the encoder layer and warm-up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import erf

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import combine_heads, separate_heads, softmax, transposed
from autograder.reference.transformer import (
    EPSILON,
    feed_forward,
    layer_norm,
    masked_mean,
    token_and_position_embedding,
)
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS

bank = Bank("transformer")

Outputs = Mapping[str, np.ndarray | str]

# --- positional_encoding -------------------------------------------------------------------------


def _shared_by_two(column: np.ndarray, depth: int) -> np.ndarray:
    """The right exponents: those of columns 2i and 2i+1 are 2i / depth."""
    return (column - column % 2) / depth


def _encode(
    length: int,
    depth: int,
    *,
    exponents: Callable[[np.ndarray, int], np.ndarray] = _shared_by_two,
    waves: tuple[Callable, Callable] = (np.sin, np.cos),
    first: int = 0,
    arrange: Callable[[np.ndarray], np.ndarray] = lambda encoding: encoding,
) -> Outputs:
    """The right encoding but for its parts: the exponents of the columns' frequencies, the waves
    of even and of odd columns, the first position, and how the columns are arranged."""
    column = np.arange(depth)
    angles = np.arange(first, first + length)[:, None] / 10000.0 ** exponents(column, depth)
    even, odd = waves
    return {"encoding": arrange(np.where(column % 2, odd(angles), even(angles)))}


_encoding = bank.parts_of("positional_encoding", _encode)

_encoding(
    "halves",
    "Sine and cosine stand in two halves; the task asks for them in turns: sine in the even "
    "columns, cosine in the odd ones.",
    arrange=lambda encoding: np.concatenate([encoding[:, ::2], encoding[:, 1::2]], axis=1),
)
_encoding(
    "transposed_encoding",
    "Rows and columns are exchanged: a row is a position.",
    arrange=lambda encoding: encoding.T,
)
_encoding(
    "sine_and_cosine_swapped",
    "Sine and cosine are exchanged: the even columns are the sines.",
    waves=(np.cos, np.sin),
)
_encoding(
    "only_sines",
    "There are sines only: every second column is a cosine.",
    waves=(np.sin, np.sin),
)
_encoding(
    "counted_from_one",
    "The first position is 0, not 1.",
    first=1,
)
_encoding(
    "exponent_doubled",
    "The exponent was doubled once too often: when i already counts in steps of two, it is the "
    "2i of the formula.",
    exponents=lambda column, depth: 2 * _shared_by_two(column, depth),
)
_encoding(
    "exponent_halved",
    "The exponent is half of what it should be: it is 2i divided by depth, not i divided by depth.",
    exponents=lambda column, depth: _shared_by_two(column, depth) / 2,
)
_encoding(
    "one_frequency_a_column",
    "Each column has a frequency of its own; a sine and the cosine beside it share one.",
    exponents=lambda column, depth: column / depth,
)
_encoding(
    "doubled_in_every_column",
    "Each column has a frequency of its own, and the exponents grow twice as fast as they should: "
    "a sine and the cosine beside it share the exponent 2i divided by depth.",
    exponents=lambda column, depth: 2 * column / depth,
)
_encoding(
    "integer_division",
    "The division of the exponents lost everything behind the point, so all frequencies are 1: "
    "divide with one slash.",
    exponents=lambda column, depth: column // depth,
)
_encoding(
    "multiplied_by_the_power",
    "The angles are multiplied by the power of 10000 instead of divided by it: later columns must "
    "turn more slowly.",
    exponents=lambda column, depth: -_shared_by_two(column, depth),
)
_encoding(
    "rounded_logarithm",
    "The logarithm of 10000 divided by depth was rounded down to a whole number: divide with one "
    "slash.",
    exponents=lambda column, depth: (column - column % 2) / np.log(10000.0),
)
_encoding(
    "base_of_a_thousand",
    "The base is 1000; the formula has 10000.",
    exponents=lambda column, depth: 0.75 * _shared_by_two(column, depth),
)
_encoding(
    "exponents_up_to_one",
    "The exponents run up to 1 in the last two columns: divided by depth, they stay below it.",
    exponents=lambda column, depth: (column - column % 2) / max(depth - 2, 1),
)


# --- token_and_position_embedding ----------------------------------------------------------------


@bank.add("token_and_position_embedding", "The positions were not added.")
def no_positions(token_table, position_table, ids):
    return {"output": token_table[ids]}


@bank.add("token_and_position_embedding", "The positions were added twice.")
def positions_twice(token_table, position_table, ids):
    return {"output": token_table[ids] + 2 * position_table[: ids.shape[1]]}


@bank.add("token_and_position_embedding", "Only the positions are left: the tokens are missing.")
def only_positions(token_table, position_table, ids):
    return {"output": 0 * token_table[ids] + position_table[: ids.shape[1]]}


@bank.add(
    "token_and_position_embedding",
    "All rows of the table of positions were added, not those of the text's length: how many "
    "tokens do the inputs have?",
)
def whole_table(token_table, position_table, ids):
    return {"output": token_table[ids] + position_table}


@bank.add("token_and_position_embedding", "The positions count from 1: the first one is 0.")
def positions_from_one(token_table, position_table, ids):
    return {"output": token_table[ids] + np.roll(position_table, -1, axis=0)[: ids.shape[1]]}


@bank.add(
    "token_and_position_embedding",
    "The positions run along the batch: they belong to the tokens of each text.",
)
def positions_along_the_batch(token_table, position_table, ids):
    return {"output": token_table[ids] + position_table[: len(ids), None]}


@bank.add(
    "token_and_position_embedding",
    "Token and position are multiplied: their vectors are to be added.",
)
def multiplied(token_table, position_table, ids):
    return {"output": token_table[ids] * position_table[: ids.shape[1]]}


@bank.add(
    "token_and_position_embedding",
    "The table of positions was asked for token ids: give it 0, 1, 2 and so on.",
)
def looked_up_by_token(token_table, position_table, ids):
    return {"output": token_table[ids] + position_table[ids]}


@bank.add(
    "token_and_position_embedding",
    "The tokens' vectors were multiplied by the root of their size before the sum: which of the "
    "two kinds of positions needs that?",
)
def tokens_scaled(token_table, position_table, ids):
    scaled = token_table[ids] * np.sqrt(token_table.shape[1])
    return {"output": scaled + position_table[: ids.shape[1]]}


# --- encoder_layer -------------------------------------------------------------------------------

Sublayer = Callable[[np.ndarray], np.ndarray]


def _weights(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """The right weights, but even and finite where nothing is kept, so that a variant differs by
    its own mistake alone."""
    return softmax(np.where(kept, logits, -1e9))


def _post_norm(x: np.ndarray, inputs: np.ndarray, sublayer: Sublayer, norm: Sublayer) -> np.ndarray:
    """The right half of a layer."""
    return norm(x + sublayer(x))


def _layer(
    inputs: np.ndarray,
    num_heads: int,
    mask: np.ndarray | None = None,
    *,
    scale: Callable[[int, int], float] = lambda depth, size: 1 / np.sqrt(depth),
    weigh: Callable[[np.ndarray, np.ndarray], np.ndarray] = _weights,
    network: Callable[[np.ndarray, Mapping], np.ndarray] = feed_forward,
    first: Callable[..., np.ndarray] = _post_norm,
    second: Callable[..., np.ndarray] = _post_norm,
    norm: Callable[..., np.ndarray] = layer_norm,
    norms: tuple[int, int] = (1, 2),
    **w: np.ndarray,
) -> Outputs:
    """The right layer but for its parts: what logits are multiplied by and how they become
    weights, the feed-forward network, what its halves make of their input, the layer's inputs, a
    sub-layer and a norm, what the norms compute, and which of the two stands where."""
    kept = np.ones(inputs.shape[:2], bool) if mask is None else mask

    def attend(x: np.ndarray) -> np.ndarray:
        query, key, value = (
            separate_heads(x @ w[f"{role}_kernel"] + w[f"{role}_bias"], num_heads)
            for role in ("query", "key", "value")
        )
        logits = query @ transposed(key) * scale(query.shape[-1], x.shape[-1])
        heads = weigh(logits, kept[:, None, None, :]) @ value
        return combine_heads(heads) @ w["output_kernel"] + w["output_bias"]

    def normalise(place: int) -> Sublayer:
        return lambda x: norm(x, w[f"gamma_{place}"], w[f"beta_{place}"])

    x = first(inputs, inputs, attend, normalise(norms[0]))
    return {"output": second(x, inputs, lambda y: network(y, w), normalise(norms[1]))}


_encoder = bank.parts_of("encoder_layer", _layer)


def _no_residual(x, inputs, sublayer, norm):
    return norm(sublayer(x))


def _no_norm(x, inputs, sublayer, norm):
    return x + sublayer(x)


def _norm_first(x, inputs, sublayer, norm):
    return x + sublayer(norm(x))


def _norm_first_and_added(x, inputs, sublayer, norm):
    return norm(x) + sublayer(norm(x))


def _norm_before_the_sum(x, inputs, sublayer, norm):
    return x + norm(sublayer(x))


_encoder(
    "no_first_residual",
    "The inputs are not added to what attention returns.",
    first=_no_residual,
)
_encoder(
    "no_second_residual",
    "What goes into the feed-forward network is not added to what comes out of it.",
    second=_no_residual,
)
_encoder(
    "no_residuals",
    "There is no residual connection: each half adds its input again.",
    first=_no_residual,
    second=_no_residual,
)
_encoder("no_first_norm", "The first layer normalisation is missing.", first=_no_norm)
_encoder("no_second_norm", "The second layer normalisation is missing.", second=_no_norm)


_encoder(
    "pre_norm",
    "The norms come before attention and before the network (pre-norm); the task asks for them "
    "after the sums.",
    first=_norm_first,
    second=_norm_first,
)


_encoder(
    "norm_before_the_sum",
    "Each norm takes what the sub-layer returns, and the input is added afterwards: the sum is "
    "what must be normalised.",
    first=_norm_before_the_sum,
    second=_norm_before_the_sum,
)


_encoder(
    "network_reads_the_inputs",
    "The feed-forward network reads the layer's inputs: it comes after the first norm.",
    second=lambda x, inputs, sublayer, norm: norm(x + sublayer(inputs)),
)
_encoder(
    "inputs_added_twice",
    "The second sum adds the layer's inputs; it must add what went into the network.",
    second=lambda x, inputs, sublayer, norm: norm(inputs + sublayer(x)),
)


def _linear(x: np.ndarray, w: Mapping[str, np.ndarray]) -> np.ndarray:
    hidden = x @ w["expand_kernel"] + w["expand_bias"]
    return hidden @ w["contract_kernel"] + w["contract_bias"]


_encoder(
    "no_relu",
    "The feed-forward network has no relu between its two layers.",
    network=_linear,
)


def _over_the_text(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    centred = x - x.mean(axis=(1, 2), keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=(1, 2), keepdims=True) + EPSILON)
    return gamma * centred / spread + beta


def _over_the_batch(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Batch normalisation as Keras predicts before any training: means 0, variances 1."""
    return gamma * x / np.sqrt(1 + 1e-3) + beta


_encoder(
    "batch_normalisation",
    "Batch normalisation took the place of layer normalisation: its means and variances come from "
    "other texts, not from the token itself.",
    norm=_over_the_batch,
)
_encoder(
    "no_scaling",
    "The logits were not scaled: the root of the depth of one head is missing.",
    scale=lambda depth, size: 1.0,
)


_encoder(
    "mask_ignored",
    "Padding still receives weight: the mask does not reach the attention, or hides the queries' "
    "axis instead of the keys'.",
    weigh=lambda logits, kept: softmax(logits),
)
_encoder(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    weigh=lambda logits, kept: _weights(logits, ~kept | kept.all()),
)
_encoder(
    "causal",
    "Tokens attend only to themselves and those before them (a causal mask); in an encoder they "
    "attend to all.",
    weigh=lambda logits, kept: _weights(logits, kept & np.tri(logits.shape[-1], dtype=bool)),
)
_encoder(
    "mask_multiplied",
    "The mask makes the logits of padding 0, and the softmax gives a logit of 0 a weight.",
    weigh=lambda logits, kept: softmax(logits * kept),
)
_encoder(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the weights of a padded text sum to less than 1.",
    weigh=lambda logits, kept: softmax(logits) * kept,
)


def _unshifted(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """softmax without the shift, as float32 computes it."""
    powers = np.exp(np.where(kept, logits, -1e9).astype(np.float32))
    # A sample that is all padding has the sum 0, and its numbers are free.
    return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-30)


# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.


@bank.add("encoder_layer", "Both layer normalisations are missing: each half ends with one.")
def no_norms(*inputs, **w):
    return _layer(*inputs, first=_no_norm, second=_no_norm, **w)


@bank.add(
    "encoder_layer",
    "The norms come before attention and before the network, and what they return is also what is "
    "added; the task asks for the norms after the sums.",
)
def pre_norm_without_the_inputs(*inputs, **w):
    return _layer(*inputs, first=_norm_first_and_added, second=_norm_first_and_added, **w)


@bank.add("encoder_layer", "Attention was never called: the layer is its feed-forward half only.")
def no_attention(*inputs, **w):
    return _layer(*inputs, first=lambda x, inputs, sublayer, norm: norm(x), **w)


@bank.add("encoder_layer", "The feed-forward network was never called.")
def no_network(*inputs, **w):
    return _layer(*inputs, second=lambda x, inputs, sublayer, norm: x, **w)


@bank.add(
    "encoder_layer",
    "The norm of the first half takes what attention returns, and the inputs are added afterwards: "
    "the sum is what must be normalised.",
)
def norm_before_the_first_sum(*inputs, **w):
    return _layer(*inputs, first=_norm_before_the_sum, **w)


@bank.add("encoder_layer", "The network's activation is gelu: the task asks for relu.")
def gelu(*inputs, **w):
    def network(x, w):
        hidden = x @ w["expand_kernel"] + w["expand_bias"]
        hidden = hidden * (1 + np.vectorize(erf)(hidden / np.sqrt(2))) / 2
        return hidden @ w["contract_kernel"] + w["contract_bias"]

    return _layer(*inputs, network=network, **w)


@bank.add(
    "encoder_layer",
    "There is a relu after the second layer of the network as well: only the first has one.",
)
def relu_twice(*inputs, **w):
    return _layer(*inputs, network=lambda x, w: np.maximum(feed_forward(x, w), 0), **w)


@bank.add(
    "encoder_layer",
    "The relu comes after the second layer of the network: it belongs between the two.",
)
def relu_at_the_end(*inputs, **w):
    return _layer(*inputs, network=lambda x, w: np.maximum(_linear(x, w), 0), **w)


@bank.add("encoder_layer", "One norm serves both places: each place has its own.")
def one_norm_for_both(*inputs, **w):
    return _layer(*inputs, norms=(1, 1), **w)


@bank.add("encoder_layer", "The two norms are exchanged.")
def norms_swapped(*inputs, **w):
    return _layer(*inputs, norms=(2, 1), **w)


@bank.add(
    "encoder_layer",
    "Normalised over the whole text: layer normalisation takes each token by itself, over its "
    "features.",
)
def norm_over_the_text(*inputs, **w):
    return _layer(*inputs, norm=_over_the_text, **w)


@bank.add(
    "encoder_layer",
    "The logits were scaled by the root of embedding_dim: inside a head, vectors have the depth of "
    "one head.",
)
def scaled_by_embedding_dim(*inputs, **w):
    return _layer(*inputs, scale=lambda depth, size: 1 / np.sqrt(size), **w)


@bank.add(
    "encoder_layer",
    "Hidden logits became minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
)
def minus_infinity(*inputs, **w):
    return _layer(*inputs, weigh=lambda logits, kept: softmax(np.where(kept, logits, -np.inf)), **w)


@bank.add("encoder_layer", "The exponentials overflow for large logits: use a stable softmax.")
def unstable_softmax(*inputs, **w):
    return _layer(*inputs, weigh=_unshifted, **w)


# --- warmup_schedule -----------------------------------------------------------------------------


def _climb(step: np.ndarray, warmup_steps: int) -> np.ndarray:
    """The right first term."""
    return step * warmup_steps**-1.5


def _fall(step: np.ndarray, warmup_steps: int) -> np.ndarray:
    """The right second term."""
    return step**-0.5


def _rates(
    d_model: int,
    warmup_steps: int,
    steps: np.ndarray,
    *,
    factor: Callable[[int], float] = lambda d_model: d_model**-0.5,
    climb: Callable[[np.ndarray, int], np.ndarray] = _climb,
    fall: Callable[[np.ndarray, int], np.ndarray] = _fall,
    join: Callable[..., np.ndarray] = lambda step, warmup_steps, climb, fall: np.minimum(
        climb, fall
    ),
) -> Outputs:
    """The right schedule but for its parts: what depends on d_model, the two terms, and how one is
    taken of them."""
    step = np.asarray(steps, np.float64)
    terms = climb(step, warmup_steps), fall(step, warmup_steps)
    return {"rates": factor(d_model) * join(step, warmup_steps, *terms)}


_schedule = bank.parts_of("warmup_schedule", _rates)

_schedule(
    "no_d_model",
    "The factor that depends on d_model is missing.",
    factor=lambda d_model: 1.0,
)
_schedule(
    "root_of_d_model",
    "The rate grows with the root of d_model: a wider model gets a smaller rate.",
    factor=lambda d_model: d_model**0.5,
)
_schedule(
    "divided_by_d_model",
    "The rate is divided by d_model itself; the formula takes its root.",
    factor=lambda d_model: 1 / d_model,
)
_schedule(
    "maximum",
    "The larger of the two terms is taken: the rate must never be above either.",
    join=lambda step, warmup_steps, climb, fall: np.maximum(climb, fall),
)
_schedule(
    "never_falls",
    "The rate never falls: the second half of the formula is missing, or grows with the step.",
    join=lambda step, warmup_steps, climb, fall: climb,
)
_schedule(
    "never_climbs",
    "The rate never climbs: it falls from the first step on.",
    join=lambda step, warmup_steps, climb, fall: fall,
)
_schedule(
    "product",
    "The two terms are multiplied: the smaller of the two is the rate.",
    join=lambda step, warmup_steps, climb, fall: climb * fall,
)


def _one_after_the_other(
    step: np.ndarray, warmup_steps: int, climb: np.ndarray, fall: np.ndarray
) -> np.ndarray:
    return np.where(step < warmup_steps, climb, fall)


_schedule(
    "stays_at_the_top",
    "After the climb the rate stays where it is: it should fall with the root of the step.",
    fall=lambda step, warmup_steps: np.full_like(step, warmup_steps**-0.5),
    join=_one_after_the_other,
)
_schedule(
    "falls_from_the_join",
    "The falling half counts from the end of the climb: the formula has the step itself there.",
    fall=lambda step, warmup_steps: np.maximum(step - warmup_steps, 1) ** -0.5,
    join=_one_after_the_other,
)
_schedule(
    "falls_with_the_step",
    "After the climb the rate falls with the step itself; the formula takes its root.",
    fall=lambda step, warmup_steps: 1 / step,
    join=_one_after_the_other,
)
_schedule(
    "power_of_minus_one",
    "The exponent of warmup_steps is off: both terms must be equal at that very step.",
    climb=lambda step, warmup_steps: step / warmup_steps,
)
_schedule(
    "power_of_one_and_a_half",
    "The climbing term grows with warmup_steps: the longer the warm-up, the slower the climb.",
    climb=lambda step, warmup_steps: step * warmup_steps**1.5,
)


@bank.add("warmup_schedule", "The steps count from 1: the optimizer's first step is 0.")
def one_step_ahead(d_model, warmup_steps, steps):
    return _rates(d_model, warmup_steps, np.asarray(steps) + 1)


# --- build_transformer_classifier ----------------------------------------------------------------


def _classifier(
    ids: np.ndarray,
    num_heads: int,
    token_table: np.ndarray,
    position_table: np.ndarray,
    class_kernel: np.ndarray,
    class_bias: np.ndarray,
    *,
    embed: Callable[..., Outputs] = token_and_position_embedding,
    layer: Callable[..., Outputs] = _layer,
    pool: Callable[[np.ndarray, np.ndarray], np.ndarray] = masked_mean,
    last: Callable[[np.ndarray], np.ndarray] = softmax,
    **w: np.ndarray,
) -> Outputs:
    """The right classifier but for its parts: the embedding, the encoder layer, how tokens are
    pooled, and what makes probabilities of the last layer's outputs."""
    mask = ids != 0
    x = embed(token_table, position_table, ids)["output"]
    x = layer(x, num_heads, mask, **w)["output"]
    rows = last(pool(x, mask) @ class_kernel + class_bias)
    arrays = (token_table, position_table, class_kernel, class_bias, *w.values())
    return {
        "untrained": rows,
        "probabilities": rows,
        "parameters": np.array([float(sum(array.size for array in arrays))]),
        "rows": DISTRIBUTIONS if last is softmax else NO_DISTRIBUTIONS,
    }


_model = bank.parts_of("build_transformer_classifier", _classifier)


def _without_mask(inputs: np.ndarray, num_heads: int, mask: np.ndarray, **w: np.ndarray) -> Outputs:
    return _layer(inputs, num_heads, None, **w)


def _plain_mean(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return x.mean(axis=1)


_model(
    "encoder_without_mask",
    "Tokens attend to padding: the encoder layer gets no mask, or makes no use of it.",
    layer=_without_mask,
)
_model(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    pool=_plain_mean,
)
_model(
    "no_mask_at_all",
    "No mask is used: padding is attended to and averaged.",
    layer=_without_mask,
    pool=_plain_mean,
)
_model(
    "first_token",
    "The output of the first token alone is read.",
    pool=lambda x, mask: x[:, 0],
)
_model(
    "no_softmax",
    "The last layer has no softmax: its rows do not sum to 1.",
    last=lambda logits: logits,
)
_model(
    "sigmoids",
    "The last layer has a sigmoid for each class; classes that exclude each other need a softmax.",
    last=lambda logits: 1 / (1 + np.exp(-logits)),
)
_model(
    "token_times_position",
    "In the embedding, token and position are multiplied: their vectors are to be added.",
    section=3,
    embed=lambda token_table, position_table, ids: {
        "output": token_table[ids] * position_table[: ids.shape[1]]
    },
)

_INHERITED = "The EncoderLayer inside has the mistake of the task before: "
# Without their second norm, layers differ, but the probabilities of their outputs are all 0 and 1.
_NO_NORM_AT_THE_END = "it does not end with a norm over the features of each token."
_SAID_OF_THE_LAYER = {
    "no_first_residual": "the inputs are not added to what attention returns.",
    "no_second_residual": "what goes into the network is not added to what comes out of it.",
    "no_residuals": "there is no residual connection.",
    "no_first_norm": "the first norm is missing.",
    "no_second_norm": _NO_NORM_AT_THE_END,
    "pre_norm": _NO_NORM_AT_THE_END,
    "pre_norm_without_the_inputs": _NO_NORM_AT_THE_END,
    "norm_before_the_sum": _NO_NORM_AT_THE_END,
    "no_attention": "attention is never called.",
    "network_reads_the_inputs": "the network reads the layer's inputs.",
    "inputs_added_twice": "the second sum adds the layer's inputs.",
    "no_relu": "the network has no relu.",
    "relu_twice": "the network has a relu too many.",
    "norm_over_the_text": "the norms run over the whole text.",
    "causal": "tokens attend only to themselves and those before them.",
    "mask_multiplied": "hidden logits become 0.",
    "mask_after_softmax": "the mask comes after the softmax.",
}
for _known in bank.of("transformer.encoder_layer"):
    if _known.name in _SAID_OF_THE_LAYER:
        _said = _INHERITED + _SAID_OF_THE_LAYER[_known.name]
        _model(_known.name, _said, section=4, layer=_known.variant)
_model(
    "mask_inverted",
    _INHERITED + "the mask is read the other way round.",
    section=4,
    # A model always has a mask: where nothing is padding, all is hidden.
    layer=partial(_layer, weigh=lambda logits, kept: _weights(logits, ~kept)),
)


# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.


@bank.add(
    "build_transformer_classifier", "The largest value of each feature is taken, not the mean."
)
def largest_instead_of_mean(**inputs):
    return _classifier(
        **inputs, pool=lambda x, mask: np.where(mask[:, :, None], x, -np.inf).max(axis=1)
    )


@bank.add(
    "build_transformer_classifier",
    "The tokens were added up: a mean does not grow with the length of a text.",
)
def sum_of_tokens(**inputs):
    return _classifier(**inputs, pool=lambda x, mask: (x * mask[:, :, None]).sum(axis=1))


@bank.add(
    "build_transformer_classifier",
    "The positions have weights but are not added to the tokens.",
    section=3,
)
def positions_unused(**inputs):
    return _classifier(
        **inputs, embed=lambda token_table, position_table, ids: {"output": token_table[ids]}
    )


@bank.add(
    "build_transformer_classifier",
    "The model has no weights for positions: look at what the embedding inside makes of them.",
    section=3,
)
def model_without_positions(position_table, **inputs):
    outputs = _classifier(position_table=position_table, **inputs)
    learned = outputs["parameters"] - position_table.size
    # A model that has no place for a case's weights gives no probabilities with them.
    return {"parameters": learned, "untrained": outputs["untrained"], "rows": outputs["rows"]}
