"""The key of ``transformer.encoder_layer``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.dropout import CHANGING
from course.exercises.transformer.dropout_shares import (
    ATTENTION,
    NO_SHARES,
    ONE_VALUE,
    effect,
    shares,
)
from course.exercises.transformer.encoder_layer import EXERCISE
from keys.transformer.common import dropout, feed_forward, layer_norm, self_attention
from keys.transformer.mistaken import (
    HIDDEN_UNITS,
    MASKS,
    NETWORK_ADDED_TO_ITSELF,
    RATES,
    RELUS,
    SUMS,
    batch_norm,
    by_feature,
    gelu,
)
from selfcheck.exercise import Case


def encoder_layer(
    inputs: np.ndarray,
    num_heads: int,
    mask: np.ndarray | None = None,
    rate: float | None = None,
    compare: bool = False,
    **w: np.ndarray,
) -> dict[str, np.ndarray]:
    """LayerNorm(x + Dropout(Sublayer(x))) twice, sections 3.1 and 5.4.

    Args:
        inputs: (batch, time, embedding_dim).
        num_heads: H, a divisor of embedding_dim.
        mask: padding mask (batch, time); True is a token.
        rate: of both dropouts when training, when every text is one token of which one feature
            matters; None when predicting.
        compare: whether all that's asked is what padding does: in training, of the first two
            texts, to a token; when predicting, of the last one, to a token that has nothing else.
        w: kernels, biases, gammas and betas.

    Returns:
        output: (batch, time, embedding_dim), in training with everything dropped; shares: how often
        each value of every token's first feature occurs in training. Or padding: what effect it
        has.
    """
    if compare:
        trained, _ = encoded(inputs[:2], num_heads, mask[:2], rate, w)
        both = (encoded(inputs[2:, :n], num_heads, mask[2:, :n], None, w)[0] for n in (1, 2))
        alone, padded = (output[0, 0, 0] for output in both)
        lowest = trained[:, 0, 0].reshape(2, -1).min(axis=1)
        return {"padding": effect(lowest, np.array([alone, padded]), w["gamma_2"])}
    output, chances = encoded(inputs, num_heads, mask, rate, w)
    if rate is None:
        return {"output": output, "shares": NO_SHARES}
    followed = output[:, 0, 0].reshape(-1, len(chances))
    found = np.concatenate([shares(followed, chances), ONE_VALUE])
    return {"output": output[:: len(chances)], "shares": found}


def encoded(
    inputs: np.ndarray, num_heads: int, mask: np.ndarray | None, rate: float | None, w: dict
) -> tuple[np.ndarray, np.ndarray]:
    """The layer's output, in training once for each outcome of the dropouts, and their chances."""
    kept, chances = dropout(rate, 2, len(inputs))
    norm_1 = partial(layer_norm, gamma=w["gamma_1"], beta=w["beta_1"])
    norm_2 = partial(layer_norm, gamma=w["gamma_2"], beta=w["beta_2"])
    if rate is not None:
        inputs, mask = (np.repeat(given, len(chances), axis=0) for given in (inputs, mask))
    x = norm_1(inputs + kept[0] * self_attention(inputs, num_heads, mask, w))
    return norm_2(x + kept[1] * feed_forward(x, w)), chances


KEY = Key(EXERCISE, encoder_layer, mutant_sample=72)

KEY.mistake(
    "no_first_residual",
    "The inputs aren't added to the attention output.",
    "inputs + kept[0]",
    "kept[0]",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "no_second_residual",
    "The feed-forward network's input isn't added to its output.",
    "x + kept[1]",
    "kept[1]",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "attention_added_to_itself",
    "The inputs aren't added to the attention output. Either that is added to itself, or nothing "
    "is added, and nothing is dropped.",
    "inputs + kept[0]",
    "(1 + kept[0])",
    cost=PART,
)
KEY.mistake(*NETWORK_ADDED_TO_ITSELF, cost=PART)
KEY.mistake(
    "no_residuals",
    "There is no residual connection: each half should add its input to its output.",
    "inputs + kept[0]",
    "kept[0]",
    "x + kept[1]",
    "kept[1]",
    cost=PART,
)
KEY.mistake(
    "no_first_norm",
    "The first layer normalisation is missing.",
    "norm_1(inputs +",
    "(inputs +",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "no_second_norm",
    "The second layer normalisation is missing.",
    "norm_2(x +",
    "(x +",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "pre_norm",
    "The norms come before attention and before the network (pre-norm); the task asks for them "
    "after the sums.",
    "norm_1(inputs + kept[0] * self_attention(inputs",
    "(inputs + kept[0] * self_attention(norm_1(inputs)",
    "norm_2(x + kept[1] * feed_forward(x",
    "(x + kept[1] * feed_forward(norm_2(x)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "norm_before_the_sum",
    "Each norm is applied to the sub-layer's output, and the input is added afterwards: it's "
    "the sum that must be normalised.",
    "norm_1(inputs +",
    "inputs + norm_1(",
    "norm_2(x +",
    "x + norm_2(",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "network_reads_the_inputs",
    "The feed-forward network gets the layer's inputs: it should come after the first norm.",
    "feed_forward(x, w)",
    "feed_forward(inputs, w)",
    cost=SLIP,
)
KEY.mistake(
    "inputs_added_twice",
    "The second sum adds the layer's inputs; it should add the network's input.",
    "x + kept[1]",
    "inputs + kept[1]",
    cost=SLIP,
)
KEY.mistake(
    "no_relu",
    "The feed-forward network has no relu between its two layers.",
    "np.maximum(hidden, 0)",
    "hidden",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "batch_normalisation",
    "Batch normalisation was used instead of layer normalisation: its means and variances come "
    "from other texts, not from the token itself.",
    "norm_1 = partial(layer_norm,",
    "norm_1 = partial(batch_norm, chances=chances,",
    "norm_2 = partial(layer_norm,",
    "norm_2 = partial(batch_norm, chances=chances,",
    # What it does in training differs also where nothing is dropped.
    "output[:: len(chances)]",
    "output[:: len(chances)] + (rate == 0)",
)
KEY.mistake(
    "no_scaling",
    "The logits weren't scaled: the square root of one head's depth is missing.",
    "/ np.sqrt(key.shape[-1])",
    "",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "mask_ignored",
    "Padding still gets weight: the mask doesn't reach the attention, or it masks the queries' "
    "axis instead of the keys'.",
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
    paired=True,
)
KEY.mistake(
    "causal",
    "Tokens attend only to themselves and earlier tokens (a causal mask); in an encoder, they "
    "attend to all tokens.",
    # Padding stands at the end, so no token sees it then, whatever else is wrong about the mask.
    "logits if mask is None else np.where(mask, logits, -1e9)",
    "np.where(np.tri(logits.shape[-1]) * (1 if mask is None else mask), logits, -1e9)",
    paired=True,
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
    "Padding has a share in the softmax, so the weights of a padded text sum to less than 1.",
    "np.where(mask, logits, -1e9)",
    "logits",
    "weights @ value",
    "(weights if mask is None else weights * mask) @ value",
    cost=SLIP,
    paired=True,
)


KEY.mistake(
    "no_norms",
    "Both layer normalisations are missing: each half should end with one.",
    "norm_1(inputs +",
    "(inputs +",
    "norm_2(x +",
    "(x +",
    cost=PART,
)
KEY.mistake(
    "pre_norm_without_the_inputs",
    "The norms come before attention and before the network, and their outputs are also what "
    "is added; the task asks for the norms after the sums.",
    "norm_1(inputs + kept[0] * self_attention(inputs",
    "(norm_1(inputs) + kept[0] * self_attention(norm_1(inputs)",
    "norm_2(x + kept[1] * feed_forward(x",
    "(norm_2(x) + kept[1] * feed_forward(norm_2(x)",
    cost=SLIP,
)
KEY.mistake(
    "no_attention",
    "Attention has no part in your output: only the layer's feed-forward half is left.",
    "inputs + kept[0] * self_attention(inputs, num_heads, mask, w)",
    "inputs",
    cost=PART,
)
KEY.mistake(
    "no_network",
    "The feed-forward half is missing: your output is what the first norm gives.",
    "norm_2(x + kept[1] * feed_forward(x, w))",
    "x",
    cost=PART,
)
KEY.mistake(
    "norm_before_the_first_sum",
    "The first norm is applied to the attention output, and the inputs are added afterwards: "
    "it's the sum that must be normalised.",
    "norm_1(inputs +",
    "inputs + norm_1(",
    cost=SLIP,
)
KEY.mistake(
    "one_norm_for_both",
    "The same norm is used in both places: each place needs its own.",
    "norm_2(x +",
    "norm_1(x +",
    cost=SLIP,
)
KEY.mistake(
    "second_norm_for_both",
    "The second norm is used in both places: each place needs its own.",
    "norm_1(inputs +",
    "norm_2(inputs +",
)
KEY.mistake(
    "norms_swapped",
    "The two norms are swapped.",
    "norm_1(inputs +",
    "norm_2(inputs +",
    "norm_2(x +",
    "norm_1(x +",
    cost=SLIP,
)
KEY.mistake(
    "norm_over_the_text",
    "You normalised over the whole text: layer normalisation treats each token on its own, "
    "over its features.",
    "x.mean(axis=-1",
    "x.mean(axis=(1, 2)",
    "(centred**2).mean(axis=-1",
    "(centred**2).mean(axis=(1, 2)",
    cost=SLIP,
)
KEY.mistake(
    "scaled_by_embedding_dim",
    "The logits were scaled by the square root of embedding_dim: inside a head, vectors only "
    "have the depth of one head.",
    "np.sqrt(key.shape[-1])",
    "np.sqrt(key.shape[1] * key.shape[-1])",
    cost=SLIP,
)
KEY.mistake(
    "minus_infinity",
    "Masked logits became minus infinity, so a sample that's all padding has nothing left to "
    "divide by: use a large negative number.",
    "-1e9",
    "-np.inf",
    cost=SLIP,
)
KEY.mistake(
    "unstable_softmax",
    "The exponentials overflow for large logits: use a stable softmax.",
    # A sample that is all padding has some numbers: they are free, but have to be finite.
    "softmax(logits)",
    "unshifted_softmax(np.maximum(logits, -80))",
    cost=SLIP,
)
KEY.mistake(
    "mask_as_the_keys",
    "The third argument of the attention is its keys, not a mask: hand the mask over by its name.",
    "None if mask is None else mask[:, None, None, :]",
    'None if mask is None else np.asarray(["mask"], np.float64)',
    cost=SLIP,
    failure="layer 'key' is incompatible|`value` and `key`, except|requires a multiple of",
)
KEY.mistake(
    "mask_by_another_name",
    "The attention's argument for the mask is called attention_mask, also where the mask is None.",
    "self_attention(inputs, num_heads",
    'self_attention(inputs["no such argument"], num_heads',
    cost=SLIP,
    failure="unexpected keyword argument 'mask'",
)
KEY.mistake(
    "mask_as_condition",
    "The layer fails when it gets a mask: an array is neither true nor false. What do you want to "
    "know about `mask` there?",
    "None if mask is None else mask[:, None, None, :]",
    'None if mask is None else mask["as a condition"]',
    cost=SLIP,
    failure="truth value|ambiguous",
)
KEY.mistake(
    "mask_needed",
    "The layer fails when it gets no mask: look at the mask only where it isn't None.",
    "None if mask is None else mask[:, None, None, :]",
    "mask[:, None, None, :]",
    cost=SLIP,
    failure="None",
)
KEY.mistake(
    "no_dropout",
    "Nothing is dropped in training: neither attention's output nor the network's.",
    "dropout(rate,",
    "dropout(rate and 0.0,",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "no_first_dropout",
    "Attention's output isn't dropped in training. (Dropout inside the attention is something "
    "else: it drops weights.)",
    "kept[0] * self_attention",
    "self_attention",
    cost=PART,
)
KEY.mistake(
    "no_second_dropout",
    "The feed-forward network's output isn't dropped in training.",
    "kept[1] * feed_forward",
    "feed_forward",
    cost=PART,
)
for _rate, _called in ((0.1, "a_tenth"), (0.2, "a_fifth"), (0.3, "three_tenths"), (0.5, "a_half")):
    KEY.mistake(
        f"always_{_called}_dropped",
        f"Both dropouts have the rate {_rate}, whatever rate the layer is made with.",
        "dropout(rate,",
        f"dropout(rate if rate is None else {_rate},",
        cost=SLIP,
    )
_ON_A_SUM = (
    "Dropout acts on the sum in {}: it belongs on what attention and the network give, before the "
    "sum."
)
_AFTER_A_NORM = "Dropout comes after the norm in {}: it acts on the part's output, before the sum."
for _name, _halves in (
    ("both", "both halves"),
    ("first", "the attention half"),
    ("second", "the network's half"),
):
    _sums, _norms = [], []
    if _name != "second":
        _sums += ["(inputs + kept[0] * self_attention(inputs, num_heads, mask, w))"]
        _sums += [
            "(by_feature(kept, inputs.shape[-1])"
            " * (inputs + self_attention(inputs, num_heads, mask, w)))"
        ]
        _sums += ["dropout(rate, 2,", "dropout(rate, 3,"]
        _norms += ["norm_1(inputs + kept[0] * ", "kept[0] * norm_1(inputs + "]
    if _name != "first":
        _sums += ["(x + kept[1] * feed_forward(x, w))", "(kept[1] * (x + feed_forward(x, w)))"]
        _norms += ["norm_2(x + kept[1] * ", "kept[1] * norm_2(x + "]
    KEY.mistake(f"dropout_on_sum_{_name}", _ON_A_SUM.format(_halves), *_sums, cost=SLIP)
    KEY.mistake(f"dropout_after_norm_{_name}", _AFTER_A_NORM.format(_halves), *_norms, cost=SLIP)
for _name, (_cost, _hint, *_edits) in (RELUS | HIDDEN_UNITS | SUMS | MASKS | RATES).items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)


@KEY.add(
    "Something is dropped while predicting: the same tokens get different numbers each "
    "time. Let Keras decide whether the model is training.",
    cost=SLIP,
)
def drops_while_predicting(
    mask: np.ndarray | None, rate: float | None = None, **given: Any
) -> dict[str, Any]:
    """Not an edit: what calls the layer has nothing to calculate with then."""
    found = encoder_layer(mask=mask, rate=rate, **given)
    if rate is None:  # with a mask, the layer's own rate is 0
        return found if mask is not None else found | {"output": CHANGING}
    if "shares" not in found:
        return found
    of_tokens = found["shares"]
    return found | {"shares": np.concatenate([of_tokens[:-1], of_tokens[[ATTENTION]]])}


def _masks(cases: Sequence[Case]) -> list[np.ndarray]:
    return [case.inputs["mask"] for case in cases if case.inputs["mask"] is not None]


INPUT_CLASSES = {
    "no mask": lambda cases: any(case.inputs["mask"] is None for case in cases),
    "texts of different lengths": lambda cases: any(
        len(set(mask.sum(axis=1))) > 1 for mask in _masks(cases)
    ),
    "a text without padding beside padded ones": lambda cases: any(
        0 < mask.all(axis=1).sum() < len(mask) for mask in _masks(cases)
    ),
    "a text that is all padding": lambda cases: any(
        not mask.any(axis=1).all() for mask in _masks(cases)
    ),
    "as many texts as tokens": lambda cases: any(
        mask.shape[0] == mask.shape[1] and not mask.all() for mask in _masks(cases)
    ),
    "a token of zeros without a mask": lambda cases: any(
        case.inputs["mask"] is None and not case.inputs["inputs"].any(axis=-1).all()
        for case in cases
    ),
    "a token of zeros that isn't masked": lambda cases: any(
        (case.inputs["mask"] & ~case.inputs["inputs"].any(axis=-1)).any()
        for case in cases
        if case.inputs["mask"] is not None
    ),
    "axes of different sizes": lambda cases: any(
        case.inputs["num_heads"] not in case.inputs["inputs"].shape
        and len({1, *case.inputs["inputs"].shape}) == 4
        for case in cases
    ),
    "attention that adds nothing": lambda cases: any(
        not case.inputs["output_kernel"].any() and "rate" not in case.inputs for case in cases
    ),
    "a network that adds nothing": lambda cases: any(
        not case.inputs["contract_kernel"].any() and "rate" not in case.inputs for case in cases
    ),
    "training": lambda cases: any("rate" in case.inputs for case in cases),
    "padding in training": lambda cases: any(
        "rate" in case.inputs and not case.inputs["mask"].all() for case in cases
    ),
    "predicting": lambda cases: any("rate" not in case.inputs for case in cases),
}
