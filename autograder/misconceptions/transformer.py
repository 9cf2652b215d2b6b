"""What people get wrong about positions, the encoder layer and warm-up."""

from __future__ import annotations

from functools import partial

from autograder.misconceptions.bank import Bank
from course.exercises.classifiers import NO_DISTRIBUTIONS

bank = Bank("transformer")

# --- positional_encoding -------------------------------------------------------------------------

_encoding = partial(bank.mistake, "positional_encoding")

_encoding(
    "halves",
    "Sine and cosine stand in two halves; the task asks for them in turns: sine in the even "
    "columns, cosine in the odd ones.",
    '"encoding": encoding',
    '"encoding": np.concatenate([encoding[:, ::2], encoding[:, 1::2]], axis=1)',
)
_encoding(
    "transposed_encoding",
    "Rows and columns are exchanged: a row is a position.",
    '"encoding": encoding',
    '"encoding": encoding.T',
)
_encoding(
    "sine_and_cosine_swapped",
    "Sine and cosine are exchanged: the even columns are the sines.",
    "np.cos(angles), np.sin(angles)",
    "np.sin(angles), np.cos(angles)",
)
_encoding(
    "only_sines",
    "There are sines only: every second column is a cosine.",
    "np.cos(angles)",
    "np.sin(angles)",
)
_encoding(
    "counted_from_one",
    "The first position is 0, not 1.",
    "np.arange(length)",
    "np.arange(1, length + 1)",
)
_encoding(
    "exponent_doubled",
    "The exponent was doubled once too often: when i already counts in steps of two, it is the "
    "2i of the formula.",
    "(column - column % 2) / depth",
    "2 * (column - column % 2) / depth",
)
_encoding(
    "exponent_halved",
    "The exponent is half of what it should be: it is 2i divided by depth, not i divided by depth.",
    "(column - column % 2) / depth",
    "(column // 2) / depth",
)
_encoding(
    "one_frequency_a_column",
    "Each column has a frequency of its own; a sine and the cosine beside it share one.",
    "(column - column % 2) / depth",
    "column / depth",
)
_encoding(
    "doubled_in_every_column",
    "Each column has a frequency of its own, and the exponents grow twice as fast as they should: "
    "a sine and the cosine beside it share the exponent 2i divided by depth.",
    "(column - column % 2) / depth",
    "2 * column / depth",
)
_encoding(
    "integer_division",
    "The division of the exponents lost everything behind the point, so all frequencies are 1: "
    "divide with one slash.",
    "(column - column % 2) / depth",
    "(column - column % 2) // depth",
)
_encoding(
    "multiplied_by_the_power",
    "The angles are multiplied by the power of 10000 instead of divided by it: later columns must "
    "turn more slowly.",
    "/ 10000.0**exponents",
    "* 10000.0**exponents",
)
_encoding(
    "rounded_logarithm",
    "The logarithm of 10000 divided by depth was rounded down to a whole number: divide with one "
    "slash.",
    # Powers of e: a logarithm rounded to 1, times the column.
    "(column - column % 2) / depth",
    "(column - column % 2) / np.log(10000.0)",
)
_encoding(
    "base_of_a_thousand",
    "The base is 1000; the formula has 10000.",
    "10000.0**exponents",
    "1000.0**exponents",
)
_encoding(
    "exponents_up_to_one",
    "The exponents run up to 1 in the last two columns: divided by depth, they stay below it.",
    "(column - column % 2) / depth",
    "(column - column % 2) / max(depth - 2, 1)",
)

# --- token_and_position_embedding ----------------------------------------------------------------

_embedding = partial(bank.mistake, "token_and_position_embedding", alone=True)

_embedding(
    "no_positions",
    "The positions were not added.",
    "tokens + positions",
    "tokens",
)
_embedding(
    "positions_twice",
    "The positions were added twice.",
    "tokens + positions",
    "tokens + 2 * positions",
)
_embedding(
    "only_positions",
    "Only the positions are left: the tokens are missing.",
    "tokens + positions",
    "0 * tokens + positions",
)
_embedding(
    "whole_table",
    "All rows of the table of positions were added, not those of the text's length: how many "
    "tokens do the inputs have?",
    "position_table[: ids.shape[1]]",
    "position_table",
)
_embedding(
    "positions_from_one",
    "The positions count from 1: the first one is 0.",
    "position_table[: ids.shape[1]]",
    "np.roll(position_table, -1, axis=0)[: ids.shape[1]]",
)
_embedding(
    "positions_along_the_batch",
    "The positions run along the batch: they belong to the tokens of each text.",
    "position_table[: ids.shape[1]]",
    "position_table[: len(ids), None]",
)
_embedding(
    "multiplied",
    "Token and position are multiplied: their vectors are to be added.",
    "tokens + positions",
    "tokens * positions",
)
_embedding(
    "looked_up_by_token",
    "The table of positions was asked for token ids: give it 0, 1, 2 and so on.",
    "position_table[: ids.shape[1]]",
    "position_table[ids]",
)
_embedding(
    "tokens_scaled",
    "The tokens' vectors were multiplied by the root of their size before the sum: which of the "
    "two kinds of positions needs that?",
    "token_table[ids]",
    "token_table[ids] * np.sqrt(token_table.shape[1])",
)

# --- encoder_layer -------------------------------------------------------------------------------

_layer = partial(bank.mistake, "encoder_layer")

_layer(
    "no_first_residual",
    "The inputs are not added to what attention returns.",
    "inputs + self_attention",
    "self_attention",
)
_layer(
    "no_second_residual",
    "What goes into the feed-forward network is not added to what comes out of it.",
    "x + feed_forward",
    "feed_forward",
)
_layer(
    "no_residuals",
    "There is no residual connection: each half adds its input again.",
    "inputs + self_attention",
    "self_attention",
    "x + feed_forward",
    "feed_forward",
)
_layer(
    "no_first_norm",
    "The first layer normalisation is missing.",
    "norm_1(inputs +",
    "(inputs +",
)
_layer(
    "no_second_norm",
    "The second layer normalisation is missing.",
    "norm_2(x +",
    "(x +",
)
_layer(
    "pre_norm",
    "The norms come before attention and before the network (pre-norm); the task asks for them "
    "after the sums.",
    "norm_1(inputs + self_attention(inputs",
    "(inputs + self_attention(norm_1(inputs)",
    "norm_2(x + feed_forward(x",
    "(x + feed_forward(norm_2(x)",
)
_layer(
    "norm_before_the_sum",
    "Each norm takes what the sub-layer returns, and the input is added afterwards: the sum is "
    "what must be normalised.",
    "norm_1(inputs +",
    "inputs + norm_1(",
    "norm_2(x +",
    "x + norm_2(",
)
_layer(
    "network_reads_the_inputs",
    "The feed-forward network reads the layer's inputs: it comes after the first norm.",
    "feed_forward(x, w)",
    "feed_forward(inputs, w)",
)
_layer(
    "inputs_added_twice",
    "The second sum adds the layer's inputs; it must add what went into the network.",
    "x + feed_forward",
    "inputs + feed_forward",
)
_layer(
    "no_relu",
    "The feed-forward network has no relu between its two layers.",
    "np.maximum(hidden, 0)",
    "hidden",
)
_layer(
    "batch_normalisation",
    "Batch normalisation took the place of layer normalisation: its means and variances come from "
    "other texts, not from the token itself.",
    # As Keras predicts before any training: the mean is 0, the variance 1.
    "centred / np.sqrt(variance + EPSILON)",
    "x / np.sqrt(1 + 1e-3)",
)
_layer(
    "no_scaling",
    "The logits were not scaled: the root of the depth of one head is missing.",
    "/ np.sqrt(key.shape[-1])",
    "",
)
_layer(
    "mask_ignored",
    "Padding still receives weight: the mask does not reach the attention, or hides the queries' "
    "axis instead of the keys'.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
_layer(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "np.where(mask, logits, -1e9)",
    "np.where(mask, -1e9, logits)",
)
_layer(
    "causal",
    "Tokens attend only to themselves and those before them (a causal mask); in an encoder they "
    "attend to all.",
    # Padding stands at the end, so no token sees it then, whatever else is wrong about the mask.
    "logits if mask is None else np.where(mask, logits, -1e9)",
    "np.where(np.tri(logits.shape[-1]) * (1 if mask is None else mask), logits, -1e9)",
)
_layer(
    "mask_multiplied",
    "The mask makes the logits of padding 0, and the softmax gives a logit of 0 a weight.",
    "np.where(mask, logits, -1e9)",
    "logits * mask",
)
_layer(
    "mask_after_softmax",
    "The mask comes after the softmax, so that the weights of a padded text sum to less than 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "weights @ value",
    "(weights if mask is None else weights * mask) @ value",
)

# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_layer_alone = partial(_layer, alone=True)

_layer_alone(
    "no_norms",
    "Both layer normalisations are missing: each half ends with one.",
    "norm_1(inputs +",
    "(inputs +",
    "norm_2(x +",
    "(x +",
)
_layer_alone(
    "pre_norm_without_the_inputs",
    "The norms come before attention and before the network, and what they return is also what is "
    "added; the task asks for the norms after the sums.",
    "norm_1(inputs + self_attention(inputs",
    "(norm_1(inputs) + self_attention(norm_1(inputs)",
    "norm_2(x + feed_forward(x",
    "(norm_2(x) + feed_forward(norm_2(x)",
)
_layer_alone(
    "no_attention",
    "Attention was never called: the layer is its feed-forward half only.",
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
    "The norm of the first half takes what attention returns, and the inputs are added afterwards: "
    "the sum is what must be normalised.",
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
    "There is a relu after the second layer of the network as well: only the first has one.",
    "feed_forward(x, w)",
    "np.maximum(feed_forward(x, w), 0)",
)
_layer_alone(
    "relu_at_the_end",
    "The relu comes after the second layer of the network: it belongs between the two.",
    "np.maximum(hidden, 0)",
    "hidden",
    "feed_forward(x, w)",
    "np.maximum(feed_forward(x, w), 0)",
)
_layer_alone(
    "one_norm_for_both",
    "One norm serves both places: each place has its own.",
    "norm_2(x +",
    "norm_1(x +",
)
_layer_alone(
    "norms_swapped",
    "The two norms are exchanged.",
    "norm_1(inputs +",
    "norm_2(inputs +",
    "norm_2(x +",
    "norm_1(x +",
)
_layer_alone(
    "norm_over_the_text",
    "Normalised over the whole text: layer normalisation takes each token by itself, over its "
    "features.",
    "x.mean(axis=-1",
    "x.mean(axis=(1, 2)",
    "(centred**2).mean(axis=-1",
    "(centred**2).mean(axis=(1, 2)",
)
_layer_alone(
    "scaled_by_embedding_dim",
    "The logits were scaled by the root of embedding_dim: inside a head, vectors have the depth of "
    "one head.",
    "np.sqrt(key.shape[-1])",
    "np.sqrt(key.shape[1] * key.shape[-1])",
)
_layer_alone(
    "minus_infinity",
    "Hidden logits became minus infinity, and a sample that is all padding has nothing left to "
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

# --- warmup_schedule -----------------------------------------------------------------------------

_schedule = partial(bank.mistake, "warmup_schedule")

_schedule(
    "no_d_model",
    "The factor that depends on d_model is missing.",
    "d_model**-0.5 * ",
    "",
)
_schedule(
    "root_of_d_model",
    "The rate grows with the root of d_model: a wider model gets a smaller rate.",
    "d_model**-0.5",
    "d_model**0.5",
)
_schedule(
    "divided_by_d_model",
    "The rate is divided by d_model itself; the formula takes its root.",
    "d_model**-0.5",
    "1 / d_model",
)
_schedule(
    "maximum",
    "The larger of the two terms is taken: the rate must never be above either.",
    "np.minimum(climb, fall)",
    "np.maximum(climb, fall)",
)
_schedule(
    "never_falls",
    "The rate never falls: the second half of the formula is missing, or grows with the step.",
    "np.minimum(climb, fall)",
    "climb",
)
_schedule(
    "never_climbs",
    "The rate never climbs: it falls from the first step on.",
    "np.minimum(climb, fall)",
    "fall",
)
_schedule(
    "product",
    "The two terms are multiplied: the smaller of the two is the rate.",
    "np.minimum(climb, fall)",
    "climb * fall",
)
_schedule(
    "stays_at_the_top",
    "After the climb the rate stays where it is: it should fall with the root of the step.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, warmup_steps**-0.5)",
)
_schedule(
    "falls_from_the_join",
    "The falling half counts from the end of the climb: the formula has the step itself there.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, np.maximum(step - warmup_steps, 1) ** -0.5)",
)
_schedule(
    "falls_with_the_step",
    "After the climb the rate falls with the step itself; the formula takes its root.",
    "np.minimum(climb, fall)",
    "np.where(step < warmup_steps, climb, 1 / step)",
)
_schedule(
    "power_of_minus_one",
    "The exponent of warmup_steps is off: both terms must be equal at that very step.",
    "warmup_steps**-1.5",
    "warmup_steps**-1.0",
)
_schedule(
    "power_of_one_and_a_half",
    "The climbing term grows with warmup_steps: the longer the warm-up, the slower the climb.",
    "warmup_steps**-1.5",
    "warmup_steps**1.5",
)
_schedule(
    "one_step_ahead",
    "The steps count from 1: the optimizer's first step is 0.",
    "np.asarray(steps, np.float64)",
    "np.asarray(steps, np.float64) + 1",
    alone=True,
)

# --- build_transformer_classifier ----------------------------------------------------------------

_model = partial(bank.mistake, "build_transformer_classifier")

_OTHER_ROWS = ('"rows": DISTRIBUTIONS', f'"rows": {NO_DISTRIBUTIONS!r}')

_model(
    "encoder_without_mask",
    "Tokens attend to padding: the encoder layer gets no mask, or makes no use of it.",
    "np.where(mask, logits, -1e9)",
    "logits",
)
_model(
    "mean_over_padding",
    "The mean counts padding as well: the pooling layer takes a mask, too.",
    "masked_mean(encoded, mask)",
    "encoded.mean(axis=1)",
)
_model(
    "no_mask_at_all",
    "No mask is used: padding is attended to and averaged.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "masked_mean(encoded, mask)",
    "encoded.mean(axis=1)",
)
_model(
    "first_token",
    "The output of the first token alone is read.",
    "masked_mean(encoded, mask)",
    "encoded[:, 0]",
)
_model(
    "no_softmax",
    "The last layer has no softmax: its rows do not sum to 1.",
    "softmax(pooled @ class_kernel + class_bias)",
    "pooled @ class_kernel + class_bias",
    *_OTHER_ROWS,
)
_model(
    "sigmoids",
    "The last layer has a sigmoid for each class; classes that exclude each other need a softmax.",
    "softmax(pooled @ class_kernel + class_bias)",
    "1 / (1 + np.exp(-(pooled @ class_kernel + class_bias)))",
    *_OTHER_ROWS,
)
_model(
    "token_times_position",
    "In the embedding, token and position are multiplied: their vectors are to be added.",
    "tokens + positions",
    "tokens * positions",
    section=3,
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
    "norm_before_the_sum": _NO_NORM_AT_THE_END,
    "network_reads_the_inputs": "the network reads the layer's inputs.",
    "inputs_added_twice": "the second sum adds the layer's inputs.",
    "no_relu": "the network has no relu.",
    "causal": "tokens attend only to themselves and those before them.",
    "mask_multiplied": "hidden logits become 0.",
    "mask_after_softmax": "the mask comes after the softmax.",
    "pre_norm_without_the_inputs": _NO_NORM_AT_THE_END,
    "no_attention": "attention is never called.",
    "relu_twice": "the network has a relu too many.",
    "norm_over_the_text": "the norms run over the whole text.",
    "mask_inverted": "the mask is read the other way round.",
}
for _name, _said in _SAID_OF_THE_LAYER.items():
    # Its probabilities are 0 and 1 whatever else is wrong: nothing tells of a second mistake.
    _alone = _name == "pre_norm_without_the_inputs"
    bank.inherit(
        "build_transformer_classifier",
        _name,
        _INHERITED + _said,
        f"encoder_layer.{_name}",
        section=4,
        alone=_alone,
    )

# Seldom beside another mistake: these are not paired, so that the answer sheet stays short.

_model_alone = partial(_model, alone=True)

_model_alone(
    "largest_instead_of_mean",
    "The largest value of each feature is taken, not the mean.",
    "masked_mean(encoded, mask)",
    "np.where(mask[:, :, None], encoded, -np.inf).max(axis=1)",
)
_model_alone(
    "sum_of_tokens",
    "The tokens were added up: a mean does not grow with the length of a text.",
    "masked_mean(encoded, mask)",
    "(encoded * mask[:, :, None]).sum(axis=1)",
)
_model_alone(
    "positions_unused",
    "The positions have weights but are not added to the tokens.",
    "tokens + positions",
    "tokens",
    section=3,
)
_model_alone(
    "model_without_positions",
    "The model has no weights for positions: look at what the embedding inside makes of them.",
    "(token_table, position_table, class_kernel",
    "(token_table, class_kernel",
    # A model that has no place for a case's weights gives no probabilities with them.
    '"probabilities": probabilities,',
    "",
    section=3,
)
