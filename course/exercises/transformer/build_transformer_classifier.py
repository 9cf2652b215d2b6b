"""What ``transformer.build_transformer_classifier`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from course.exercises import classifiers, weights
from course.exercises.masks import different_lengths, length_mask
from course.exercises.transformer import dropout_shares
from course.exercises.transformer.common import (
    ENCODER_WEIGHTS,
    SCALE,
    at_scale,
    encoder_weights,
    named,
)
from course.exercises.weights import WrongWeights, tensor
from selfcheck.aspects import equals, has_shapes, identical, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say


def _mean_is_dropped(observation: Observation) -> str:
    """What the mean gives is dropped in training, and then there are still distributions."""
    if isinstance(observation.received, Failure):
        return str(observation.received)
    values = observation.received.get("shares")
    expected = observation.expected.outputs["shares"]
    if not isinstance(values, np.ndarray) or values.shape != expected.shape:
        return say(
            "dropout in training wasn't measured: the layers don't have the expected weights"
        )
    if np.allclose(values, expected):
        return ""
    if observation.received.get("rows") != classifiers.DISTRIBUTIONS:
        return say("in training, the rows that come out are not distributions over the classes")
    return say(
        "in training, the output is as if {percent} % of the mean's features were dropped; "
        "expected {expected} %",
        percent=f"{100 * (values[0, 0] if values[0, 1] else 0):.0f}",
        expected=f"{100 * dropout_shares.RATE:.0f}",
    )


SAME, DIFFERENT = "the same", "different"
"""What a model that is made with rate 0 gives in training, compared with what it predicts."""

SHARED, NOT_INSIDE, ELSEWHERE = "shared weights", "nothing dropped inside", "dropped elsewhere"
"""Instead of these: what is wrong beside a model with another rate."""

_COPIES = 200

_SIZES = 0.01, 1.0
"""Of the one feature's weight: with large features, the first leaves probabilities that aren't 0 or
1; with small ones, the second makes a difference."""

_TEXTS_AT_RATE_0 = 20
"""Times each text: something of them is dropped where dropout is at work at all."""


def _nothing_is_dropped(observation: Observation) -> str:
    if isinstance(observation.received, Failure):
        return str(observation.received)
    if identical(observation.received.get("at_rate_0"), SAME):
        return ""
    if identical(observation.received.get("at_rate_0"), SHARED):
        return say("couldn't be tried: the model has weights of a model that was made before")
    if identical(observation.received.get("at_rate_0"), NOT_INSIDE):
        return say("made with rate 0.5, the model drops nothing in its encoder in training")
    if identical(observation.received.get("at_rate_0"), ELSEWHERE):
        return say(
            "made with rate 0.5, the model drops something in training besides the mean's features "
            "and what the encoder's two parts give"
        )
    return say("made with rate 0, the model gives other numbers in training than when predicting")


class BuildTransformerClassifier(Exercise):
    """Embedding, encoder layer, mean over the tokens, dropout, class probabilities."""

    name = "transformer.build_transformer_classifier"
    lesson = "04-transformer-encoder"
    section = 4
    measured = ("rows", "shares", "at_rate_0")
    translatable_outputs = classifiers.ROWS
    builds = True
    conditional = frozenset({"shares"})
    axes = classifiers.AXES | {"shares": ("numbers", "values"), "at_rate_0": ()}
    input_axes = {
        "ids": ("texts", "max_length"),
        "token_table": ("vocabulary_size", "embedding_dim"),
        "expand_bias": ("ff_dim",),
        "class_bias": ("num_classes",),
    }
    aspects = (
        Aspect("there is one row of num_classes numbers per text", 10, ("plain",),
               has_shapes({"untrained": axes["untrained"]})),
        Aspect("each row is a distribution", 15, ("plain",), equals("rows", ours=classifiers.ROWS)),
        Aspect(
            "the model has exactly the weights of these layers",
            20,
            ("plain",),
            numbers_agree("parameters"),
        ),
        Aspect("the probabilities are right", 20, ("plain",), classifiers.probabilities_agree),
        Aspect(
            "padding changes nothing: attention and the mean both ignore it",
            20,
            ("padding",),
            classifiers.probabilities_agree,
        ),
        Aspect("in training, the mean's features are dropped at the given rate", 10, ("training",),
               _mean_is_dropped),
        Aspect("with rate 0, nothing is dropped in training; else the encoder drops, too, and "
               "nothing else", 5, ("rate 0",), _nothing_is_dropped),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, max_length) without and with padding, and all weights."""
        random = random_state(seed)
        # The features can be split into other numbers of heads as well.
        batch, heads, size = 3, 6, 24
        classes = int(random.choice([3, 5]))  # not as many as the news have topics
        # With a length of 5, the features of all tokens need as many weights as one more layer.
        max_length, ff_dim = int(random.choice([7, 9])), int(random.choice([13, 17, 19]))
        # The highest id is one more than a multiple of 4: with 16 bits it's the one before.
        vocabulary_size = 2050 + 4 * int(random.randint(5))
        tables = {
            "token_table": SCALE * normal(random, vocabulary_size, size),
            "position_table": SCALE * normal(random, max_length, size),
        }
        drawn = encoder_weights(random, size, ff_dim)
        inputs = {
            "num_heads": heads,
            **tables,
            **drawn,
            # Of the scale all through the layer, so that mistakes in it can be told apart.
            **at_scale(drawn, "gamma_1", "beta_1", "expand_bias"),
            "contract_kernel": drawn["contract_kernel"] / SCALE,
            # Small enough that probabilities aren't 0 and 1 where a norm is missing.
            "class_kernel": normal(random, size, classes) / (SCALE * np.float32(np.sqrt(size))),
            "class_bias": normal(random, classes) / np.float32(4),
        }
        ids = random.randint(1, vocabulary_size, (batch, max_length))
        # Neither the lowest nor the highest id is padding.
        ids[:, 0], ids[:, 1] = 1, vocabulary_size - 1
        lengths = sorted(different_lengths(random, batch, max_length))
        padded = np.where(length_mask(lengths, max_length), ids, 0)
        # Before the tokens of the first text, and between those of the second.
        padded[0, 0] = padded[1, 1] = 0
        return (
            Case("plain", inputs | {"ids": ids}, asks=tuple(classifiers.AXES)),
            Case("padding", inputs | {"ids": padded}, asks=tuple(classifiers.AXES)),
            _training_case(inputs),
            Case("rate 0", inputs | {"ids": padded, "rate": 0.0}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model; call it untrained, and then with the case's weights."""
        inputs = case.inputs
        (vocabulary_size, size), max_length = (
            inputs["token_table"].shape,
            len(inputs["position_table"]),
        )
        ff_dim, classes = len(inputs["expand_bias"]), len(inputs["class_bias"])
        heads = inputs["num_heads"]
        rate = inputs.get("rate", 0.5)
        model = obj(max_length, vocabulary_size, classes, size, ff_dim, heads, rate)
        if rate == 0:
            other = obj(max_length, vocabulary_size, classes, size, ff_dim, heads, 0.5)
            shared = {id(weight) for weight in model.weights} & set(map(id, other.weights))
            if shared:
                return {"at_rate_0": SHARED}
            seen = _in_training_and_not(model, inputs["ids"])
            if seen == DIFFERENT:
                return {"at_rate_0": DIFFERENT}
            one_text, last = inputs["ids"][-1:], (size, classes)
            if not _drops_inside(other, one_text, last):
                return {"at_rate_0": NOT_INSIDE}
            silent = _weights_of({**inputs, **silent_encoder(inputs)})
            with suppress(WrongWeights):  # looked at in another case
                weights.assign(other, silent)
                if _drops_inside(other, one_text, last, otherwise=False):
                    return {"at_rate_0": ELSEWHERE}
            return {"at_rate_0": SAME}
        values = _weights_of(inputs)
        if "rate" in inputs:
            return _outputs_in_training(model, inputs["ids"], values)
        return classifiers.outputs_of(model, inputs["ids"], values)[0]


def silent_encoder(inputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Weights of an encoder layer whose two parts give nothing: dropping that changes nothing."""
    return {
        name: (np.ones_like if name.startswith("gamma") else np.zeros_like)(inputs[name])
        for name in ENCODER_WEIGHTS.values()
    }


def _weights_of(inputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """A case's weights, in the order in which a model creates them."""
    tables = {"token table": inputs["token_table"], "position table": inputs["position_table"]}
    last = {"class kernel": inputs["class_kernel"], "class bias": inputs["class_bias"]}
    return tables | named(inputs, "encoder: ") | last


def _training_case(drawn: Mapping[str, Any]) -> Case:
    """Weights with which the encoder gives every token the same, whatever is dropped in it, and the
    first class gets all where the first feature of the mean is kept; else the second one does.
    There are no others: two classes need a softmax, too."""
    length, classes = 5, 2
    sizes = encoder_weights(random_state(0), dropout_shares.SIZE, dropout_shares.FF_DIM)
    # The numbers need not be exact, but of the size of those that were drawn.
    unit = 100 * int(1 + abs(drawn["class_bias"][0]) * 10)
    half = np.zeros((length, dropout_shares.SIZE), int)
    half[:, 0] = unit
    same = {"beta_1": 2 * half[0], "beta_2": 2 * half[0]}
    kernel = np.zeros((dropout_shares.SIZE, classes), int)
    kernel[0, 0] = 200
    # A little more than what the first class gets, unless dropout makes that more.
    bias = np.full(classes, -1000 * unit)
    bias[:2] = -401 * unit, 0
    ids = np.array([[1, 2, 1, 2, 1]])
    inputs = {
        "num_heads": dropout_shares.HEADS,
        "rate": dropout_shares.RATE,
        "token_table": half,
        "position_table": half,
        **{name: np.zeros(value.shape, int) for name, value in sizes.items()},
        **same,
        "class_kernel": kernel,
        "class_bias": bias,
        "ids": ids,
    }
    return Case("training", inputs, asks=("rows", "shares"))


def _in_training_and_not(model: Any, ids: np.ndarray) -> str:
    """Whether an untrained model gives the same in training as when predicting."""
    texts = tensor(np.repeat(ids, _TEXTS_AT_RATE_0, axis=0))
    predicted = np.array(model(texts))
    try:
        trained = np.array(model(texts, training=True))
    except ValueError:  # no dropout layer drops everything
        return DIFFERENT
    same = trained.shape == predicted.shape
    same = same and np.allclose(trained, predicted, atol=1e-5, equal_nan=True)
    return SAME if same else DIFFERENT


def _drops_inside(
    model: Any, ids: np.ndarray, shape: tuple[int, int], otherwise: bool = True
) -> bool:
    """Whether a model drops elsewhere than in the mean, of which it then gets one feature only.

    Args:
        model: is left with another last layer.
        ids: of one text (1, length).
        shape: of the last layer's kernel.
        otherwise: is returned of a model without such a kernel, if what comes out isn't a number,
            and in doubt.
    """
    kernels = [weight for weight in model.trainable_weights if tuple(weight.shape) == shape]
    if not kernels:
        return otherwise
    texts = tensor(np.repeat(ids, _COPIES, axis=0))
    for size in _SIZES:
        one = np.zeros(shape, np.float32)
        one[0, 0] = size
        kernels[-1].assign(one)
        values = np.sort(np.array(model(texts, training=True)).reshape(_COPIES, -1)[:, 0])
        if np.isnan(values).any():
            return otherwise
        # That feature is kept or not: only rounding makes more than two numbers of it. What is
        # dropped elsewhere makes hundreds, which may lie close together.
        differ = np.diff(values) > (2e-6 if otherwise else 1e-4) * np.abs(values).max()
        if differ.sum() > 1:
            return True
    return False


def _outputs_in_training(
    model: Any, ids: np.ndarray, values: Mapping[str, np.ndarray]
) -> dict[str, Any]:
    """Ask a model for one text often, as when training; without the weights, only for its rows."""
    model(tensor(ids))
    try:
        weights.assign(model, values)
    except WrongWeights:
        return {"rows": classifiers.kind_of_rows(np.array(model(tensor(ids))))}
    many = tensor(np.repeat(ids, dropout_shares.CALLS, axis=0))
    rows = np.array(model(many, training=True))
    return {
        "rows": classifiers.kind_of_rows(rows),
        "shares": dropout_shares.shares(rows.reshape(1, dropout_shares.CALLS, -1)[:, :, 0]),
    }


EXERCISE = BuildTransformerClassifier()
