"""Where an encoder layer drops while training: inputs and weights with which its outputs tell.

Of every token one feature is followed, and the last norm leaves little more of it than its sign:
negative where what a part gives was dropped, positive where it was kept. (What it has to make up
for is more than what it gives, and less than what dropout makes of that when it keeps it.) What is
dropped elsewhere changes signs that dropping a part's output doesn't change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.transformer.common import encoder_weights
from course.exercises.weights import tensor
from selfcheck.aspects import identical
from selfcheck.exercise import Case, Failure, Observation
from selfcheck.texts import say

RATE = 0.4
"""Neither what layers have by default nor the same as the share that is kept."""

CALLS = 90_000
"""Of every token. What dropout makes of rates such as ``RATE`` has chances that are multiples of
0.02, and a share is within 0.01 of its chance by six standard deviations, so that rounding to
such a multiple gives the same number every time."""

SIZE, FF_DIM, HEADS = 4, 3, 2

ATTENTION, NETWORK, NEITHER, PREDICTING = range(4)
"""The tokens: whose output decides the sign, if any does; then the first one when predicting."""

HIDDEN, SEEN, NEEDED = "no effect", "an effect in training", "an effect on a lone token"
"""What padding has."""

_FEW = 200
"""Of a text, so that everything that can be dropped is, and isn't, in one of them."""

_VALUES = 6
NO_SHARES = np.zeros((4, _VALUES))
"""Of a case in which nothing is trained."""


ONE_VALUE = np.eye(1, _VALUES)
"""Of what is the same every time."""


def shares(values: np.ndarray, chances: np.ndarray | None = None) -> np.ndarray:
    """How often each of a few values occurs, in ascending order of the values.

    Args:
        values: of each token, (tokens, n).
        chances: of each of them, (n,); None where all are as likely.

    Returns:
        (tokens, 6): multiples of 0.02; 0 where there are fewer values, and of more only the first.

    Example:
        >>> shares(np.array([[7.0, 2.0, 7.0, 7.0, 7.0]])).tolist()
        [[0.2, 0.8, 0.0, 0.0, 0.0, 0.0]]
    """
    tokens, count = values.shape
    order = values.argsort(axis=1)
    rows = np.arange(tokens)[:, None]
    ascending = values[rows, order]
    # What rounding alone tells apart is one value.
    least = np.maximum(1e-3 * np.abs(ascending).max(axis=1, keepdims=True), 1e-9)
    place = np.zeros((tokens, count), int)
    np.cumsum(np.diff(ascending) > least, axis=1, out=place[:, 1:])
    place = np.minimum(place, _VALUES) + (_VALUES + 1) * rows
    weights = np.full(count, 1 / count) if chances is None else chances
    counted = np.bincount(place.ravel(), weights[order].ravel(), tokens * (_VALUES + 1))
    return np.round(50 * counted.reshape(tokens, -1)[:, :_VALUES]) / 50


def training_case(random: np.random.RandomState) -> Case:
    """Three tokens (3, 1, embedding_dim), each of which is asked for often, and weights."""
    # Whole numbers: how exactly an answer has to calculate doesn't matter here.
    unit, last = int(random.randint(50, 101)), int(random.randint(1, 3))
    part, made_up_for = 200 * unit, 201 * unit
    drawn = encoder_weights(random, SIZE, FF_DIM)
    silent = {name: np.zeros(value.shape, int) for name, value in drawn.items()}
    tokens = np.zeros((3, 1, SIZE), int)
    tokens[ATTENTION, 0, 0] = -made_up_for
    # So large that what attention gives doesn't change what the norm makes of it.
    tokens[NETWORK, 0, 1] = -1_000_000 * part
    tokens[NEITHER, 0, 0] = 1_000_000 * part
    # The norm makes the root of 3 of a single feature, and minus a third of that of the others.
    gamma = 4 * part
    beta = -made_up_for - round(gamma / math.sqrt(3))
    expand, contract = np.zeros((SIZE, FF_DIM), int), np.zeros((FF_DIM, SIZE), int)
    # What the network is given takes away, so that dropping it, or a hidden unit, isn't the same as
    # dropping the sum.
    expand[0, 0] = contract[0, 0] = -1
    weights = silent | {
        "output_bias": _one_feature(part),
        "gamma_1": _one_feature(gamma),
        "beta_1": _one_feature(beta),
        "expand_kernel": expand,
        "contract_kernel": contract,
        "contract_bias": _one_feature(part + made_up_for),
        # What the last norm gives is positive: a 0 in its place is the smallest value.
        "gamma_2": _one_feature(last),
        "beta_2": _one_feature(3 * last),
    }
    mask = np.ones((3, 1), bool)
    inputs = {"inputs": tokens, "num_heads": HEADS, "mask": mask, "rate": RATE}
    return Case("training", inputs | weights, asks=("shares",))


def padding_case(trained: Case) -> Case:
    """Three texts (3, 2, embedding_dim) of one token and padding. The second one's padding would
    change the sign of a token that attends to it. The sign of the third one's token is what
    attention gives."""
    made_up_for, token = trained.inputs["inputs"][[ATTENTION, NEITHER], 0]
    texts = np.zeros((3, 2, SIZE), int)
    texts[:2, 0], texts[2, 0] = token, made_up_for // 2
    texts[:, 1, 1], texts[1, 1, 2] = 1, 8 * token[0]
    value, output = np.zeros((2, SIZE, SIZE), int)
    value[2, 0], output[0, 0] = 1, -1
    changed = {"value_kernel": value, "output_kernel": output, "compare": True}
    mask = np.array([[True, False]] * len(texts))
    inputs = {**trained.inputs, "inputs": texts, "mask": mask, **changed}
    return Case("padding in training", inputs, asks=("padding",))


def what_padding_does(layer: Any, inputs: Mapping[str, Any]) -> str:
    """What difference padding makes to a layer, in training and when predicting."""

    def lowest(text: np.ndarray, **training: bool) -> float:
        many = tensor(np.repeat(np.float32(text)[None], _FEW, axis=0))
        mask = tensor(np.repeat(inputs["mask"][:1, : len(text)], _FEW, axis=0))
        return np.array(layer(many, mask=mask, **training)).reshape(_FEW, -1)[:, 0].min()

    *trained, last = inputs["inputs"]
    seen = np.array([lowest(text, training=True) for text in trained])
    both = np.array([lowest(text, training=False) for text in (last[:1], last)])
    return effect(seen, both, inputs["gamma_2"])


def effect(lowest: np.ndarray, both: np.ndarray, gamma: np.ndarray) -> str:
    """What effect padding has.

    Args:
        lowest: what two texts give in training at least. With the same sign before the last norm's
            shift, they count as the same.
        both: what a token gives when predicting, alone and before padding.
        gamma: of the last norm.
    """
    if not np.ptp(lowest) < gamma[0] / 2:
        return SEEN
    return HIDDEN if np.ptp(both) < gamma[0] / 2 else NEEDED


def padding_is_hidden(observation: Observation) -> str:
    """What a padded token holds makes no difference in training."""
    if isinstance(observation.received, Failure):
        return str(observation.received)
    if identical(observation.received.get("padding"), HIDDEN):
        return ""
    if identical(observation.received.get("padding"), NEEDED):
        return say("a token alone gives different numbers than the same token followed by padding")
    return say("in training, padded tokens are attended to")


def _one_feature(number: int) -> np.ndarray:
    """A vector whose first feature is this; all others are 0."""
    return np.eye(1, SIZE, dtype=int)[0] * number


def shares_in_training(layer: Any, inputs: Mapping[str, Any]) -> np.ndarray:
    """Ask a layer that has its weights for every token often, as when training."""
    followed = []
    mask = tensor(np.ones((CALLS, 1), bool))
    for number in range(PREDICTING + 1):
        token = np.float32(inputs["inputs"][number % PREDICTING, None])
        tokens = tensor(np.repeat(token, CALLS, axis=0))
        outputs = np.array(layer(tokens, mask=mask, training=number < PREDICTING))
        followed.append(outputs.reshape(CALLS, -1)[:, 0])
    return shares(np.array(followed))


def parts_are_dropped(observation: Observation) -> str:
    """What attention and the network give is dropped at the given rate."""
    seen, values = _shares(observation)
    if seen:
        return seen
    expected = observation.expected.outputs["shares"]
    for token in (ATTENTION, NETWORK):
        if np.allclose(values[token], expected[token]):
            continue
        if values[token, 2:].any():
            return say("in training, something else is dropped than what the two parts give")
        share = values[token, 0] if values[token, 1] else 0.0
        percent = {"percent": f"{100 * share:.0f}", "expected": f"{100 * RATE:.0f}"}
        if token == ATTENTION:
            return say(
                "in training, the output is as if {percent} % of attention's were dropped; "
                "expected {expected} %",
                **percent,
            )
        return say(
            "in training, the output is as if {percent} % of the network's were dropped; "
            "expected {expected} %",
            **percent,
        )
    return ""


def nothing_else_is_dropped(observation: Observation) -> str:
    """Neither sums, nor what comes in or what a norm gives is dropped."""
    seen, values = _shares(observation)
    if seen:
        return seen
    expected = observation.expected.outputs["shares"]
    if not np.allclose(values[PREDICTING], expected[PREDICTING]):
        return say("something is dropped when predicting as well")
    if np.allclose(values[NEITHER], expected[NEITHER]):
        return ""
    return say("in training, a token is changed that would be the same without both parts' outputs")


def _shares(observation: Observation) -> tuple[str, np.ndarray]:
    """What keeps the shares from being read, or "" and the shares."""
    if isinstance(observation.received, Failure):
        return str(observation.received), NO_SHARES
    values = observation.received.get("shares")
    if not isinstance(values, np.ndarray) or values.shape != NO_SHARES.shape:
        return say("what is dropped in training wasn't measured"), NO_SHARES
    return "", values
