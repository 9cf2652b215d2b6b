"""What people get wrong about positions, the encoder layer and warm-up."""

from __future__ import annotations

import numpy as np

from autograder.misconceptions.bank import Bank
from autograder.reference.attention import combine_heads, separate_heads, softmax
from autograder.reference.transformer import (
    EPSILON,
    encoder_layer,
    feed_forward,
    layer_norm,
    masked_mean,
    positional_encoding,
    self_attention,
    token_and_position_embedding,
    warmup_schedule,
)
from course.exercises.classifiers import DISTRIBUTIONS, NO_DISTRIBUTIONS

bank = Bank("transformer")

# --- positional_encoding -------------------------------------------------------------------------


def _encoding(length, depth, exponents, even=np.sin, odd=np.cos):
    """Interleaved waves whose frequencies are 10000 to the minus ``exponents``."""
    angles = np.arange(length)[:, None] / 10000.0 ** np.asarray(exponents, float)
    return {"encoding": np.stack([even(angles), odd(angles)], axis=-1).reshape(length, depth)}


def _steps(depth):
    return np.arange(0, depth, 2)


@bank.add(
    "positional_encoding",
    "Sine and cosine stand in two halves; the task asks for them in turns: sine in the even "
    "columns, cosine in the odd ones.",
)
def halves(length, depth):
    encoding = positional_encoding(length, depth)["encoding"]
    return {"encoding": np.concatenate([encoding[:, ::2], encoding[:, 1::2]], axis=1)}


@bank.add("positional_encoding", "Sine and cosine are exchanged: the even columns are the sines.")
def sine_and_cosine_swapped(length, depth):
    return _encoding(length, depth, _steps(depth) / depth, even=np.cos, odd=np.sin)


@bank.add("positional_encoding", "There are sines only: every second column is a cosine.")
def only_sines(length, depth):
    return _encoding(length, depth, _steps(depth) / depth, odd=np.sin)


@bank.add(
    "positional_encoding",
    "The exponent was doubled once too often: when i already counts in steps of two, it is the "
    "2i of the formula.",
)
def exponent_doubled(length, depth):
    return _encoding(length, depth, 2 * _steps(depth) / depth)


@bank.add(
    "positional_encoding",
    "The exponent is half of what it should be: it is 2i divided by depth, not i divided by depth.",
)
def exponent_halved(length, depth):
    return _encoding(length, depth, _steps(depth) / 2 / depth)


@bank.add(
    "positional_encoding",
    "Each column has a frequency of its own; a sine and the cosine beside it share one.",
)
def one_frequency_a_column(length, depth):
    angles = np.arange(length)[:, None] / 10000.0 ** (np.arange(depth) / depth)
    return {"encoding": np.where(np.arange(depth) % 2, np.cos(angles), np.sin(angles))}


@bank.add(
    "positional_encoding",
    "The division of the exponents lost everything behind the point, so all frequencies are 1: "
    "divide with one slash.",
)
def integer_division(length, depth):
    return _encoding(length, depth, _steps(depth) // depth)


@bank.add(
    "positional_encoding",
    "The angles are multiplied by the power of 10000 instead of divided by it: later columns must "
    "turn more slowly.",
)
def multiplied_by_the_power(length, depth):
    return _encoding(length, depth, -_steps(depth) / depth)


@bank.add(
    "positional_encoding",
    "Each column has a frequency of its own, and the exponents grow twice too fast: a sine and the "
    "cosine beside it share the exponent 2i divided by depth.",
)
def doubled_in_every_column(length, depth):
    angles = np.arange(length)[:, None] / 10000.0 ** (2 * np.arange(depth) / depth)
    return {"encoding": np.where(np.arange(depth) % 2, np.cos(angles), np.sin(angles))}


@bank.add(
    "positional_encoding",
    "The logarithm of 10000 divided by depth was rounded down to a whole number: divide with one "
    "slash.",
)
def rounded_logarithm(length, depth):
    return _encoding(length, depth, _steps(depth) / np.log(10000.0))


@bank.add("positional_encoding", "The base is 1000; the formula has 10000.")
def base_of_a_thousand(length, depth):
    return _encoding(length, depth, 0.75 * _steps(depth) / depth)


@bank.add("positional_encoding", "The first position is 0, not 1.")
def counted_from_one(length, depth):
    return {"encoding": positional_encoding(length + 1, depth)["encoding"][1:]}


@bank.add("positional_encoding", "Rows and columns are exchanged: a row is a position.")
def transposed_encoding(length, depth):
    return {"encoding": positional_encoding(length, depth)["encoding"].T}


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
    "Token and position are multiplied: their vectors are added.",
)
def multiplied(token_table, position_table, ids):
    return {"output": token_table[ids] * position_table[: ids.shape[1]]}


@bank.add(
    "token_and_position_embedding",
    "The table of positions was asked for token ids: give it 0, 1, 2 and so on.",
)
def looked_up_by_token(token_table, position_table, ids):
    return {"output": token_table[ids] + position_table[ids % len(position_table)]}


# --- encoder_layer -------------------------------------------------------------------------------


def _layer(inputs, num_heads, mask, w, *, first=True, second=True, norms=(True, True),
           network=feed_forward):  # fmt: skip
    """The layer with residual connections and norms to leave out."""
    x = self_attention(inputs, num_heads, mask, w) + (inputs if first else 0)
    x = layer_norm(x, w["gamma_1"], w["beta_1"]) if norms[0] else x
    y = network(x, w) + (x if second else 0)
    return {"output": layer_norm(y, w["gamma_2"], w["beta_2"]) if norms[1] else y}


@bank.add("encoder_layer", "The inputs are not added to what attention returns.")
def no_first_residual(inputs, num_heads, mask=None, **w):
    return _layer(inputs, num_heads, mask, w, first=False)


@bank.add(
    "encoder_layer",
    "What goes into the feed-forward network is not added to what comes out of it.",
)
def no_second_residual(inputs, num_heads, mask=None, **w):
    return _layer(inputs, num_heads, mask, w, second=False)


@bank.add("encoder_layer", "There is no residual connection: each half adds its input again.")
def no_residuals(inputs, num_heads, mask=None, **w):
    return _layer(inputs, num_heads, mask, w, first=False, second=False)


@bank.add("encoder_layer", "The first layer normalisation is missing.")
def no_first_norm(inputs, num_heads, mask=None, **w):
    return _layer(inputs, num_heads, mask, w, norms=(False, True))


@bank.add("encoder_layer", "The second layer normalisation is missing.")
def no_second_norm(inputs, num_heads, mask=None, **w):
    return _layer(inputs, num_heads, mask, w, norms=(True, False))


@bank.add(
    "encoder_layer",
    "The norms come before attention and before the network (pre-norm); the task asks for them "
    "after the sums.",
)
def pre_norm(inputs, num_heads, mask=None, **w):
    normed = layer_norm(inputs, w["gamma_1"], w["beta_1"])
    x = inputs + self_attention(normed, num_heads, mask, w)
    return {"output": x + feed_forward(layer_norm(x, w["gamma_2"], w["beta_2"]), w)}


@bank.add(
    "encoder_layer",
    "The norms come before attention and before the network, and what they return is also what is "
    "added; the task asks for the norms after the sums.",
)
def pre_norm_without_the_inputs(inputs, num_heads, mask=None, **w):
    x = layer_norm(inputs, w["gamma_1"], w["beta_1"])
    x = x + self_attention(x, num_heads, mask, w)
    x = layer_norm(x, w["gamma_2"], w["beta_2"])
    return {"output": x + feed_forward(x, w)}


@bank.add(
    "encoder_layer",
    "Each norm takes what the sub-layer returns, and the input is added afterwards: the sum is "
    "what must be normalised.",
)
def norm_before_the_sum(inputs, num_heads, mask=None, **w):
    x = inputs + layer_norm(self_attention(inputs, num_heads, mask, w), w["gamma_1"], w["beta_1"])
    return {"output": x + layer_norm(feed_forward(x, w), w["gamma_2"], w["beta_2"])}


@bank.add("encoder_layer", "One norm serves both places: each place has its own.")
def one_norm_for_both(inputs, num_heads, mask=None, **w):
    same = w | {"gamma_2": w["gamma_1"], "beta_2": w["beta_1"]}
    return encoder_layer(inputs, num_heads, mask, **same)


@bank.add("encoder_layer", "The two norms are exchanged.")
def norms_swapped(inputs, num_heads, mask=None, **w):
    swapped = w | {
        "gamma_1": w["gamma_2"],
        "beta_1": w["beta_2"],
        "gamma_2": w["gamma_1"],
        "beta_2": w["beta_1"],
    }
    return encoder_layer(inputs, num_heads, mask, **swapped)


@bank.add(
    "encoder_layer",
    "The feed-forward network reads the layer's inputs: it comes after the first norm.",
)
def network_reads_the_inputs(inputs, num_heads, mask=None, **w):
    x = inputs + self_attention(inputs, num_heads, mask, w)
    x = layer_norm(x, w["gamma_1"], w["beta_1"])
    return {"output": layer_norm(x + feed_forward(inputs, w), w["gamma_2"], w["beta_2"])}


@bank.add(
    "encoder_layer",
    "The second sum adds the layer's inputs; it must add what went into the network.",
)
def inputs_added_twice(inputs, num_heads, mask=None, **w):
    x = inputs + self_attention(inputs, num_heads, mask, w)
    x = layer_norm(x, w["gamma_1"], w["beta_1"])
    return {"output": layer_norm(inputs + feed_forward(x, w), w["gamma_2"], w["beta_2"])}


@bank.add("encoder_layer", "The feed-forward network has no relu between its two layers.")
def no_relu(inputs, num_heads, mask=None, **w):
    def linear(x, w):
        hidden = x @ w["expand_kernel"] + w["expand_bias"]
        return hidden @ w["contract_kernel"] + w["contract_bias"]

    return _layer(inputs, num_heads, mask, w, network=linear)


@bank.add(
    "encoder_layer",
    "There is a relu after the second layer of the network as well: only the first has one.",
)
def relu_twice(inputs, num_heads, mask=None, **w):
    def network(x, w):
        return np.maximum(feed_forward(x, w), 0)

    return _layer(inputs, num_heads, mask, w, network=network)


@bank.add("encoder_layer", "The feed-forward network was never called.")
def no_network(inputs, num_heads, mask=None, **w):
    x = inputs + self_attention(inputs, num_heads, mask, w)
    return {"output": layer_norm(x, w["gamma_1"], w["beta_1"])}


@bank.add("encoder_layer", "Attention was never called: the layer is its feed-forward half only.")
def no_attention(inputs, num_heads, mask=None, **w):
    x = layer_norm(inputs, w["gamma_1"], w["beta_1"])
    return {"output": layer_norm(x + feed_forward(x, w), w["gamma_2"], w["beta_2"])}


@bank.add(
    "encoder_layer",
    "Padding still receives weight: the mask does not reach the attention, or hides the queries' "
    "axis instead of the keys'.",
)
def mask_ignored(inputs, num_heads, mask=None, **w):
    return encoder_layer(inputs, num_heads, None, **w)


def _weighing(inputs, num_heads, w, weigh):
    """The layer whose attention turns logits into weights in another way.

    Args:
        weigh: of logits (batch, heads, queries, keys).
    """
    query, key, value = (
        separate_heads(inputs @ w[f"{role}_kernel"] + w[f"{role}_bias"], num_heads)
        for role in ("query", "key", "value")
    )
    weights = weigh(query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1]))
    x = inputs + combine_heads(weights @ value) @ w["output_kernel"] + w["output_bias"]
    x = layer_norm(x, w["gamma_1"], w["beta_1"])
    return {"output": layer_norm(x + feed_forward(x, w), w["gamma_2"], w["beta_2"])}


def _padding(inputs, mask):
    """Where the keys are padding: (batch, 1, 1, keys)."""
    hide = np.zeros(inputs.shape[:2], bool) if mask is None else ~mask
    return hide[:, None, None, :]


@bank.add(
    "encoder_layer",
    "The mask is read the other way round: True is a token, False is padding.",
)
def mask_inverted(inputs, num_heads, mask=None, **w):
    hide = False if mask is None else ~_padding(inputs, mask)
    return _weighing(inputs, num_heads, w, lambda x: softmax(np.where(hide, -1e9, x)))


@bank.add(
    "encoder_layer",
    "Tokens attend only to those before them (a causal mask); in an encoder they attend to all.",
)
def causal(inputs, num_heads, mask=None, **w):
    later = ~np.tri(inputs.shape[1], dtype=bool)
    hide = later | _padding(inputs, mask)
    return _weighing(inputs, num_heads, w, lambda x: softmax(np.where(hide, -1e9, x)))


@bank.add(
    "encoder_layer",
    "The mask comes after the softmax, so that the weights of a padded text sum to less than 1.",
)
def mask_after_softmax(inputs, num_heads, mask=None, **w):
    keep = ~_padding(inputs, mask)
    return _weighing(inputs, num_heads, w, lambda x: softmax(x) * keep)


@bank.add(
    "encoder_layer",
    "Hidden logits became minus infinity, and a sample that is all padding has nothing left to "
    "divide by: use a large negative number.",
)
def minus_infinity(inputs, num_heads, mask=None, **w):
    return encoder_layer(inputs, num_heads, mask, **w)


@bank.add("encoder_layer", "The exponentials overflow for large logits: use a stable softmax.")
def unstable_softmax(inputs, num_heads, mask=None, **w):
    hide = _padding(inputs, mask)

    def unshifted(logits):
        powers = np.exp(np.where(hide, -1e9, logits).astype(np.float32))
        # A sample that is all padding has the sum 0, and its numbers are free.
        return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-30)

    return _weighing(inputs, num_heads, w, unshifted)


@bank.add(
    "encoder_layer",
    "Normalised over the whole text: layer normalisation takes each token by itself, over its "
    "features.",
)
def norm_over_the_text(inputs, num_heads, mask=None, **w):
    def norm(x, gamma, beta):
        centred = x - x.mean(axis=(1, 2), keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=(1, 2), keepdims=True) + EPSILON)
        return gamma * centred / spread + beta

    x = norm(inputs + self_attention(inputs, num_heads, mask, w), w["gamma_1"], w["beta_1"])
    return {"output": norm(x + feed_forward(x, w), w["gamma_2"], w["beta_2"])}


# --- warmup_schedule -----------------------------------------------------------------------------


@bank.add("warmup_schedule", "The factor that depends on d_model is missing.")
def no_d_model(d_model, warmup_steps, steps):
    return warmup_schedule(1, warmup_steps, steps)


@bank.add(
    "warmup_schedule",
    "The rate grows with the root of d_model: a wider model gets a smaller rate.",
)
def root_of_d_model(d_model, warmup_steps, steps):
    return warmup_schedule(1 / d_model, warmup_steps, steps)


@bank.add("warmup_schedule", "The rate is divided by d_model itself; the formula takes its root.")
def divided_by_d_model(d_model, warmup_steps, steps):
    return warmup_schedule(d_model**2, warmup_steps, steps)


@bank.add(
    "warmup_schedule",
    "The larger of the two terms is taken: the rate must never be above either.",
)
def maximum(d_model, warmup_steps, steps):
    step = np.asarray(steps, float)
    return {"rates": d_model**-0.5 * np.maximum(step**-0.5, step * warmup_steps**-1.5)}


@bank.add("warmup_schedule", "The rate never falls: the second half of the formula is missing.")
def never_falls(d_model, warmup_steps, steps):
    step = np.asarray(steps, float)
    return {"rates": d_model**-0.5 * step * warmup_steps**-1.5}


@bank.add("warmup_schedule", "The rate never climbs: it falls from the first step on.")
def never_climbs(d_model, warmup_steps, steps):
    return {"rates": d_model**-0.5 * np.asarray(steps, float) ** -0.5}


@bank.add(
    "warmup_schedule",
    "After the climb the rate stays where it is: it falls with the root of the step.",
)
def stays_at_the_top(d_model, warmup_steps, steps):
    step = np.minimum(np.asarray(steps, float), warmup_steps)
    return {"rates": d_model**-0.5 * step * warmup_steps**-1.5}


@bank.add(
    "warmup_schedule",
    "The exponent of warmup_steps is off: both terms must be equal at that very step.",
)
def power_of_minus_one(d_model, warmup_steps, steps):
    step = np.asarray(steps, float)
    return {"rates": d_model**-0.5 * np.minimum(step**-0.5, step / warmup_steps)}


@bank.add(
    "warmup_schedule",
    "The falling half counts from the end of the climb: the formula has the step itself there.",
)
def falls_from_the_join(d_model, warmup_steps, steps):
    step = np.asarray(steps, float)
    after = np.maximum(step - warmup_steps, 1) ** -0.5
    climb = step * warmup_steps**-1.5
    return {"rates": d_model**-0.5 * np.where(step < warmup_steps, climb, after)}


@bank.add("warmup_schedule", "The steps count from 1: the optimizer's first step is 0.")
def one_step_ahead(d_model, warmup_steps, steps):
    return warmup_schedule(d_model, warmup_steps, np.asarray(steps) + 1)


# --- build_transformer_classifier ----------------------------------------------------------------


def _classifier(
    ids, num_heads, token_table, position_table, class_kernel, class_bias, w, *,
    attends=True, positions=True, pool=masked_mean, last=softmax,
):  # fmt: skip
    mask = ids != 0
    x = token_and_position_embedding(token_table, position_table, ids)["output"]
    x = x if positions else token_table[ids]
    x = encoder_layer(x, num_heads, mask if attends else None, **w)["output"]
    probabilities = last(pool(x, mask) @ class_kernel + class_bias)
    arrays = (token_table, position_table, class_kernel, class_bias, *w.values())
    return {
        "untrained": probabilities,
        "probabilities": probabilities,
        "parameters": np.array([float(sum(array.size for array in arrays))]),
        "rows": DISTRIBUTIONS if last is softmax else NO_DISTRIBUTIONS,
    }


def _split(inputs):
    """A case's inputs as the classifier's own and the encoder layer's."""
    own = ("ids", "num_heads", "token_table", "position_table", "class_kernel", "class_bias")
    rest = {name: value for name, value in inputs.items() if name not in own}
    return [inputs[name] for name in own] + [rest]


def _plain_mean(x, mask):
    return x.mean(axis=1)


@bank.add(
    "build_transformer_classifier",
    "The encoder layer gets no mask: tokens attend to padding.",
)
def encoder_without_mask(**inputs):
    return _classifier(*_split(inputs), attends=False)


@bank.add(
    "build_transformer_classifier",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
)
def mean_over_padding(**inputs):
    return _classifier(*_split(inputs), pool=_plain_mean)


@bank.add("build_transformer_classifier", "No mask is used: padding is attended to and averaged.")
def no_mask_at_all(**inputs):
    return _classifier(*_split(inputs), attends=False, pool=_plain_mean)


@bank.add(
    "build_transformer_classifier",
    "The largest value of each feature is taken, not the mean.",
)
def largest_instead_of_mean(**inputs):
    def largest(x, mask):
        return np.where(mask[:, :, None], x, -np.inf).max(axis=1)

    return _classifier(*_split(inputs), pool=largest)


@bank.add("build_transformer_classifier", "The output of the first token alone is read.")
def first_token(**inputs):
    return _classifier(*_split(inputs), pool=lambda x, mask: x[:, 0])


@bank.add(
    "build_transformer_classifier",
    "The last layer has no softmax: its rows do not sum to 1.",
)
def no_softmax(**inputs):
    return _classifier(*_split(inputs), last=lambda logits: logits)


@bank.add(
    "build_transformer_classifier",
    "The last layer has a sigmoid for each class; classes that exclude each other need a softmax.",
)
def sigmoids(**inputs):
    return _classifier(*_split(inputs), last=lambda logits: 1 / (1 + np.exp(-logits)))


@bank.add(
    "build_transformer_classifier",
    "The positions have weights but are not added to the tokens.",
)
def positions_unused(**inputs):
    return _classifier(*_split(inputs), positions=False)
