"""The key of ``fastformer.fastformer_block``."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.dropout import CHANGING
from course.exercises.fastformer.fastformer_block import EXERCISE
from course.exercises.transformer.dropout_shares import ATTENTION, NO_SHARES, ONE_VALUE, shares
from keys.fastformer.common import SAID_OF_THE_LAYER, network
from keys.fastformer.fastformer import KEY as FASTFORMER
from keys.fastformer.fastformer import fastformer
from keys.input_classes import some, some_mask
from keys.transformer.common import dropout, layer_norm
from keys.transformer.mistaken import (
    MASK_BY_NAME,
    NETWORK_ADDED_TO_ITSELF,
    approximate_gelu,
    batch_norm,
    by_feature,
    gelu,
)


def fastformer_block(
    inputs: np.ndarray,
    num_heads: int,
    mask: np.ndarray | None = None,
    rate: float | None = None,
    **w: np.ndarray,
) -> dict[str, np.ndarray]:
    """LayerNorm(x + Dropout(Sublayer(x))) twice: Fastformer, then a feed-forward network.

    Args:
        inputs: (batch, time, H·d).
        num_heads: H.
        mask: padding mask (batch, time); True is a token.
        rate: of both dropouts when training, when one feature of a token matters; None when
            predicting.
        w: kernels, biases, gammas and betas.

    Returns:
        output: (batch, time, H·d), in training with everything dropped; shares: how often each
        value of the first tokens' first feature occurs in training.

    Reference: the authors' code, https://github.com/wuch15/Fastformer: dropout, sum and norm as in
    their notebook for Keras, the network as in the one for PyTorch.
    """
    output, chances = encoded(inputs, num_heads, mask, rate, w)
    if rate is None:
        return {"output": output, "shares": NO_SHARES}
    followed = output[:, 0, 0].reshape(-1, len(chances))
    found = np.concatenate([shares(followed, chances), ONE_VALUE])
    return {"output": output[:: len(chances)], "shares": found}


def encoded(
    inputs: np.ndarray, num_heads: int, mask: np.ndarray | None, rate: float | None, w: dict
) -> tuple[np.ndarray, np.ndarray]:
    """The block's output, in training once for each outcome of the dropouts, and their chances."""
    kept, chances = dropout(rate, 2, len(inputs))
    norm_1 = partial(layer_norm, gamma=w["gamma_1"], beta=w["beta_1"])
    norm_2 = partial(layer_norm, gamma=w["gamma_2"], beta=w["beta_2"])
    if rate is not None:
        inputs, mask = (np.repeat(given, len(chances), axis=0) for given in (inputs, mask))
    x = norm_1(inputs + kept[0] * global_context(inputs, num_heads, mask, w))
    return norm_2(x + kept[1] * network(x, w)), chances


def global_context(
    inputs: np.ndarray, num_heads: int, mask: np.ndarray | None, w: dict
) -> np.ndarray:
    """What Fastformer gives: (batch, time, H·d)."""
    own = ("query_kernel", "key_kernel", "query_score_kernel", "key_score_kernel", "output_kernel")
    given = fastformer(inputs, num_heads, mask=mask, **{name: w[name] for name in own})
    return given["attended"] + given["residual"]


KEY = Key(EXERCISE, fastformer_block, mutant_sample=36)


KEY.mistake(
    "no_first_residual",
    "The inputs aren't added to what Fastformer gives: its own sum adds the queries only.",
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
    "fastformer_added_to_itself",
    "The inputs aren't added to what Fastformer gives. Either that is added to itself, or nothing "
    "is added, and nothing is dropped.",
    "inputs + kept[0]",
    "(1 + kept[0])",
    cost=PART,
)
KEY.mistake(*NETWORK_ADDED_TO_ITSELF, cost=PART)
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
    "second_activation",
    "The network's output goes through one more activation: what contract gives is added as it is.",
    "kept[1] * network(x, w)",
    "kept[1] * gelu(network(x, w))",
    cost=SLIP,
)
KEY.mistake(
    "pre_norm",
    "The norms come before Fastformer and before the network (pre-norm); the task asks for them "
    "after the sums.",
    "norm_1(inputs + kept[0] * global_context(inputs",
    "(inputs + kept[0] * global_context(norm_1(inputs)",
    "norm_2(x + kept[1] * network(x",
    "(x + kept[1] * network(norm_2(x)",
    cost=SLIP,
)
KEY.mistake(
    "norm_before_the_sum",
    "Each norm is applied to the part's output, and the input is added afterwards: it's the sum "
    "that must be normalised.",
    "norm_1(inputs +",
    "inputs + norm_1(",
    "norm_2(x +",
    "x + norm_2(",
    cost=SLIP,
)
KEY.mistake(
    "inputs_added_twice",
    "The second sum adds the block's inputs; it should add the network's input.",
    "x + kept[1]",
    "inputs + kept[1]",
    cost=SLIP,
)
KEY.mistake(
    "no_dropout",
    "Nothing is dropped in training: neither what Fastformer gives nor what the network gives.",
    "dropout(rate,",
    "dropout(rate and 0.0,",
    cost=PART,
    paired=True,
)

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
    "network_reads_the_inputs",
    "The feed-forward network gets the block's inputs: it should come after the first norm.",
    "network(x, w)",
    "network(inputs, w)",
    cost=SLIP,
)
KEY.mistake(
    "no_fastformer",
    "Fastformer was never called: only the block's feed-forward half is left.",
    "inputs + kept[0] * global_context(inputs, num_heads, mask, w)",
    "inputs",
    cost=PART,
)
KEY.mistake(
    "no_network",
    "The feed-forward half is missing: your output is what the first norm gives.",
    "norm_2(x + kept[1] * network(x, w))",
    "x",
    cost=PART,
)
KEY.mistake(
    "network_not_in_use",
    "The feed-forward network was never called, and the second norm comes straight after the "
    "first one.",
    "x + kept[1] * network(x, w)",
    "x",
    cost=PART,
)
KEY.mistake(
    "no_first_dropout",
    "What Fastformer gives isn't dropped in training.",
    "kept[0] * global_context",
    "global_context",
    cost=PART,
)
KEY.mistake(
    "no_second_dropout",
    "The feed-forward network's output isn't dropped in training.",
    "kept[1] * network",
    "network",
    cost=PART,
)
KEY.mistake(
    "share_kept_for_share_dropped",
    "The rate is read the other way round: it's the share that is dropped, not the one that is "
    "kept.",
    "dropout(rate,",
    "dropout(rate if rate is None else 1 - rate,",
    cost=SLIP,
)
for _rate, _called in ((0.1, "a_tenth"), (0.2, "a_fifth"), (0.3, "three_tenths"), (0.5, "a_half")):
    KEY.mistake(
        f"always_{_called}_dropped",
        f"Both dropouts have the rate {_rate}, whatever rate the block is made with.",
        "dropout(rate,",
        f"dropout(rate if rate is None else {_rate},",
        cost=SLIP,
    )
_ON_A_SUM = (
    "Dropout acts on the sum in {}: it belongs on what Fastformer and the network give, before the "
    "sum."
)
_AFTER_A_NORM = "Dropout comes after the norm in {}: it acts on the part's output, before the sum."
_GIVEN, _NETWORK = "global_context(inputs, num_heads, mask, w)", "network(x, w)"
for _name, _halves in (
    ("both", "both halves"),
    ("first", "the Fastformer half"),
    ("second", "the network's half"),
):
    _sums, _norms = [], []
    if _name != "second":
        _sums += [f"(inputs + kept[0] * {_GIVEN})"]
        _sums += [f"(by_feature(kept, inputs.shape[-1]) * (inputs + {_GIVEN}))"]
        _sums += ["dropout(rate, 2,", "dropout(rate, 3,"]
        _norms += ["norm_1(inputs + kept[0] * ", "kept[0] * norm_1(inputs + "]
    if _name != "first":
        _sums += [f"(x + kept[1] * {_NETWORK})", f"(kept[1] * (x + {_NETWORK}))"]
        _norms += ["norm_2(x + kept[1] * ", "kept[1] * norm_2(x + "]
    KEY.mistake(f"dropout_on_sum_{_name}", _ON_A_SUM.format(_halves), *_sums, cost=SLIP)
    KEY.mistake(f"dropout_after_norm_{_name}", _AFTER_A_NORM.format(_halves), *_norms, cost=SLIP)
KEY.mistake(
    "mask_not_passed_on",
    "Padding still gets weight: the mask doesn't reach Fastformer.",
    "mask=mask",
    "mask=None",
    cost=PART,
)
KEY.mistake(
    "mask_passed_on_inverted",
    "Fastformer gets a mask that's True for padding: True is a token.",
    "mask=mask",
    "mask=None if mask is None else ~mask",
    cost=SLIP,
)

NORMS = {
    "no_norms": (
        PART,
        "Both layer normalisations are missing: each half should end with one.",
        "norm_1(inputs +",
        "(inputs +",
        "norm_2(x +",
        "(x +",
    ),
    "one_norm_for_both": (
        SLIP,
        "The same norm is used in both places: each place needs its own.",
        "norm_2(x +",
        "norm_1(x +",
    ),
    "norms_swapped": (
        SLIP,
        "The two norms are swapped.",
        "norm_1(inputs +",
        "norm_2(inputs +",
        "norm_2(x +",
        "norm_1(x +",
    ),
    "norm_before_the_first_sum": (
        SLIP,
        "The first norm is applied to what Fastformer gives, and the inputs are added afterwards: "
        "it's the sum that must be normalised.",
        "norm_1(inputs +",
        "inputs + norm_1(",
    ),
    "norm_and_dropout_before_the_first_sum": (
        SLIP,
        "The first norm is applied to what Fastformer gives, then comes the dropout, and the "
        "inputs are added afterwards: it's the sum that must be normalised.",
        "norm_1(inputs + kept[0] * ",
        "inputs + kept[0] * norm_1(",
    ),
    "norm_over_the_text": (
        SLIP,
        "You normalised over the whole text: layer normalisation treats each token on its own, "
        "over its features.",
        "x.mean(axis=-1",
        "x.mean(axis=(1, 2)",
        "(centred**2).mean(axis=-1",
        "(centred**2).mean(axis=(1, 2)",
    ),
    "batch_normalisation": (
        IDEA,
        "Batch normalisation was used instead of layer normalisation: its means and variances come "
        "from other texts, not from the token itself.",
        "norm_1 = partial(layer_norm,",
        "norm_1 = partial(batch_norm, chances=chances,",
        "norm_2 = partial(layer_norm,",
        "norm_2 = partial(batch_norm, chances=chances,",
    ),
}

SUMS = {
    "inputs_added_again": (
        SLIP,
        "The second sum adds the block's inputs as well: it has only two parts.",
        "x + kept[1]",
        "x + inputs + kept[1]",
    ),
    "inputs_added_before_the_network": (
        SLIP,
        "The network gets what went into the first norm: give it what came out.",
        _NETWORK,
        f"network(inputs + kept[0] * {_GIVEN}, w)",
    ),
    "second_sum_adds_the_first_sum": (
        SLIP,
        "The second sum adds what went into the first norm: add what came out of it.",
        "x + kept[1]",
        f"inputs + kept[0] * {_GIVEN} + kept[1]",
    ),
    "network_first": (
        SLIP,
        "The feed-forward network comes before Fastformer: it should come after it.",
        f"inputs + kept[0] * {_GIVEN}",
        "inputs + kept[1] * network(inputs, w)",
        f"x + kept[1] * {_NETWORK}",
        "x + kept[0] * global_context(x, num_heads, mask, w)",
    ),
    "no_activation": (
        PART,
        "The feed-forward network has no activation between its two layers.",
        "gelu(hidden)",
        "hidden",
    ),
    "gelu_twice": (
        SLIP,
        "The network's hidden units went through a second gelu: expand has one already.",
        "gelu(hidden)",
        "approximate_gelu(gelu(hidden))",  # keras.ops has another formula than the layer
    ),
    "relu": (
        SLIP,
        "The network's activation is relu: the layer that you were given has gelu.",
        "gelu(hidden)",
        "np.maximum(hidden, 0)",
    ),
    "hidden_units_dropped": (
        SLIP,
        "The network's hidden units are dropped: the task asks for dropout on its output.",
        f"kept[1] * {_NETWORK}",
        "network(x, {**w, 'kept': kept[1]})",
        "gelu(hidden)",
        "w['kept'] * gelu(hidden)",
    ),
}

for _name, (_cost, _hint, *_edits) in (NORMS | SUMS).items():
    KEY.mistake(_name, _hint, *_edits, cost=_cost)

_INHERITED = "Fastformer itself has a mistake from an earlier task: "
for _name, _mistake in SAID_OF_THE_LAYER.items():
    KEY.inherit(
        FASTFORMER.find(_name),
        _INHERITED + _mistake,
        section=3,
        name=f"{_name}_in_the_layer",
    )
KEY.inherit(
    FASTFORMER.find("mask_not_tested_for_none"),
    "Fastformer fails when there is no mask: what happens in your code if mask is None?",
    section=3,
    name="mask_not_tested_for_none_in_the_layer",
)
KEY.mistake(
    "mask_in_its_place",
    MASK_BY_NAME,
    "global_context(inputs, num_heads, mask, w)",
    'global_context(inputs, num_heads, np.asarray(["mask"], float) if mask is None else mask, w)',
    cost=SLIP,
    failure="multiple values for argument 'mask'",
)
KEY.mistake(
    "fastformer_fails",
    "Fastformer fails when the block calls it. Does the check of the layer pass? If it does, look "
    "at what the block gives it: vectors and a mask (batch, time).",
    "weighted.sum(axis=-2)",
    'np.einsum("bt,btd->bd", alpha, x)',
    section=3,
    cost=SLIP,
    failure="Fastformer.call",
)


for _name, _hint, _old, _new, _failure in (
    (
        "no_contract",
        "The network ends with expand: contract brings its hidden units back to H · d features.",
        ' @ w["contract_kernel"] + w["contract_bias"]',
        "",
        r"shapes: .3,5,8. vs. .3,5,7.|shapes: .(\d+,\d+),\d+. vs. .\1,\d+\]",
    ),
    (
        "no_expand",
        "The network has contract alone: expand comes first, which makes the hidden units.",
        "gelu(hidden) @",
        "x @",
        r"weights of shape",
    ),
    (
        "self_forgotten",
        "A layer of your class is reached through self: write `self.` in front of its name.",
        "network(x, w)",
        "network(x, None)",
        r"'fastformer' is not defined|'(dropout_\d|norm_\d|expand|contract)' is not defined",
    ),
):
    KEY.mistake(_name, _hint, _old, _new, cost=SLIP, failure=_failure)


@KEY.add(
    "Something is dropped while predicting: the same tokens get different numbers each "
    "time. Let Keras decide whether the model is training.",
    cost=SLIP,
)
def drops_while_predicting(
    mask: np.ndarray | None, rate: float | None = None, **given: Any
) -> dict[str, Any]:
    """Not an edit: what calls the block has nothing to calculate with then."""
    found = fastformer_block(mask=mask, rate=rate, **given)
    if rate is None:  # with a mask, the block's own rate is 0
        return found if mask is not None else found | {"output": CHANGING}
    of_tokens = found["shares"]
    return found | {"shares": np.concatenate([of_tokens[:-1], of_tokens[[ATTENTION]]])}


INPUT_CLASSES = {
    "no mask": some(lambda given: given["mask"] is None),
    "different numbers of tokens": some_mask(lambda mask: len(set(mask.sum(axis=1))) > 1),
    "padding before the tokens": some_mask(lambda mask: (mask[:, 1:] & ~mask[:, :-1]).any()),
    "nothing but padding": some_mask(lambda mask: not mask.any(axis=1).all()),
    "a token of zeros": some(lambda given: not given["inputs"].any(axis=-1).all()),
    "a Fastformer that adds nothing": some(
        lambda given: not given["query_kernel"].any() and "rate" not in given
    ),
    "a network that adds nothing": some(
        lambda given: not given["contract_kernel"].any() and "rate" not in given
    ),
    "training": some(lambda given: "rate" in given),
    "predicting": some(lambda given: "rate" not in given),
}
