"""What ``conv1d.build_conv1d_classifier`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.conv1d.common import a_number
from course.exercises.weights import WrongWeights, tensor
from selfcheck.aspects import describe, equals, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation, WrongReturn
from selfcheck.texts import say

FILTERS, KERNEL_SIZE, STRIDES = 128, 7, 3

SHORTEST = KERNEL_SIZE + (KERNEL_SIZE - 1) * STRIDES
"""Words of a text that leaves one step after two convolutions."""


# A share of 4000 has a standard deviation of 0.008; rounding to tenths allows for six of them.
_TEXTS_TO_COUNT_DROPS = 4000

_TEXTS_AT_ONCE = 500

_LONGEST_FIXED_LENGTH = 1000

_WEIGHTS = {
    "embedding": "Embedding",
    "kernel_1": "first Conv1D: kernel",
    "bias_1": "first Conv1D: bias",
    "kernel_2": "second Conv1D: kernel",
    "bias_2": "second Conv1D: bias",
    "hidden_kernel": "first Dense: kernel",
    "hidden_bias": "first Dense: bias",
    "output_kernel": "last Dense: kernel",
    "output_bias": "last Dense: bias",
}


def _half_is_dropped(observation: Observation) -> str:
    if isinstance(observation.received, Failure):
        return str(observation.received)
    shares = observation.received.get("dropped")
    if not isinstance(shares, np.ndarray) or shares.shape != (2,):
        return say(
            "dropout in training wasn't measured: the layers don't have the expected weights"
        )
    words, outputs = (f"{100 * share:.0f}" for share in shares)
    if not abs(shares[0] - 0.5) <= 0.01:
        return say(
            "{percent} % of the embedded words are dropped in training; expected 50 %",
            percent=words,
        )
    if not abs(shares[1] - 0.5) <= 0.01:
        return say(
            "{percent} % of the outputs of the hidden Dense layer are dropped in training; "
            "expected 50 %",
            percent=outputs,
        )
    return ""


class BuildConv1DClassifier(Exercise):
    """Embedding, two convolutions, the largest value over time, two dense layers."""

    name = "conv1d.build_conv1d_classifier"
    lesson = "02-conv1d-baseline"
    section = 5
    axes = {
        "shape": (),
        "rows": (),
        "predictions": ("batch", "one probability"),
        "weights": (),
        "sigmoid": ("sums",),
        "dropped": ("places",),
    }
    aspects = (
        Aspect("predictions have the shape (batch, 1)", 10, ("plain",), equals("shape")),
        Aspect("texts may be of any length", 10, ("two lengths",), a_number("rows")),
        Aspect("the layers' weights have the right shapes", 20, ("layers",), equals("weights")),
        Aspect("the last sum becomes a probability", 10, ("layers",), numbers_agree("sigmoid")),
        Aspect("half is dropped in training", 15, ("layers",), _half_is_dropped),
        Aspect(
            "the numbers are right for a text with nothing to pool",
            15,
            ("shortest text",),
            numbers_agree("predictions"),
        ),
        Aspect(
            "the numbers are right for longer texts", 20, ("plain",), numbers_agree("predictions")
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, length) and the weights of all layers."""
        random = random_state(seed)
        vocabulary_size = int(random.choice([11, 13, 17]))
        embedding_dim = int(random.choice([5, 6]))
        batch = int(random.choice([3, 4]))
        length, longer = (int(n) for n in random.permutation(np.arange(43, 61))[:2])
        inputs = {
            "vocabulary_size": vocabulary_size,
            "embedding_dim": embedding_dim,
            "embedding": normal(random, vocabulary_size, embedding_dim),
        }
        shapes = {
            "1": (KERNEL_SIZE, embedding_dim, FILTERS),
            "2": (KERNEL_SIZE, FILTERS, FILTERS),
        }
        # Kernels that keep the numbers between layers, and the last sum, near 1.
        for layer, shape in shapes.items():
            fan_in = np.float32(np.sqrt(shape[0] * shape[1]))
            inputs[f"kernel_{layer}"] = normal(random, *shape) / fan_in
            inputs[f"bias_{layer}"] = normal(random, FILTERS) / np.float32(4)
        root = np.float32(np.sqrt(FILTERS))
        inputs["hidden_kernel"] = normal(random, FILTERS, FILTERS) / root
        inputs["hidden_bias"] = normal(random, FILTERS) / np.float32(4)
        inputs["output_kernel"] = normal(random, FILTERS, 1) / root
        inputs["output_bias"] = normal(random, 1) / np.float32(4)

        def texts(words: int) -> dict[str, Any]:
            ids = random.randint(1, vocabulary_size, (batch, words))
            ids[0, -3:] = 0
            return inputs | {"ids": ids}

        return (
            Case("plain", texts(length)),
            Case("two lengths", texts(longer)),
            Case("shortest text", texts(SHORTEST)),
            Case("layers", texts(SHORTEST + 4 * STRIDES)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model and call it, as it is and then with the case's weights.

        A model that has no place for these weights is judged without them.
        """
        model = obj(case.inputs["vocabulary_size"], case.inputs["embedding_dim"])
        if not callable(model):
            raise WrongReturn(say("returned {value}; expected a model", value=describe(model)))
        ids = case.inputs["ids"]
        if case.name == "layers":
            return _layers(model, ids.shape[1])
        if case.name == "two lengths":
            model(tensor(ids[:, :SHORTEST]))
        shape = np.shape(model(tensor(ids)))
        outputs = {"shape": str(shape), "rows": shape[0] if shape else 0}
        with suppress(WrongWeights):
            values = {title: case.inputs[name] for name, title in _WEIGHTS.items()}
            weights.assign(model, values)
            outputs["predictions"] = model(tensor(ids))
        return outputs


def _layers(model: Any, length: int) -> dict[str, Any]:
    """What a model's layers are, as far as their weights give them away.

    Args:
        model: takes ids (batch, length).
        length: words of the texts it is called on, unless it takes texts of one length only.

    Returns:
        weights: their shapes as text; sigmoid: what becomes of last sums of 3 and -3, when a bias
        is added last; dropped: the shares of the embedding's and the hidden layer's outputs that
        are dropped in training, when the first and the last weights are of such layers.
    """
    shape = getattr(model, "input_shape", None)
    if isinstance(shape, tuple) and len(shape) == 2 and shape[1]:
        length = min(shape[1], _LONGEST_FIXED_LENGTH)
    ids = np.zeros((1, length), int)
    model(tensor(ids))
    variables = model.trainable_weights
    outputs: dict[str, Any] = {"weights": [str(tuple(weight.shape)) for weight in variables]}
    if variables and tuple(variables[-1].shape) == (1,):
        outputs["sigmoid"] = np.array([_with_last_bias(model, ids, bias) for bias in (3.0, -3.0)])
    ranks = [len(weight.shape) for weight in variables]
    if ranks[:3] == [2, 3, 1] and ranks[-3:] == [1, 2, 1]:
        outputs["dropped"] = np.array([_words_dropped(model, ids), _hidden_dropped(model, ids)])
    return outputs


def _fill(model: Any, values: Mapping[int, Any]) -> None:
    """Give weights these values by their place, -1 for the last; all others become 0."""
    count = len(model.trainable_weights)
    by_place = {place % count: value for place, value in values.items()}
    for place, weight in enumerate(model.trainable_weights):
        weight.assign(np.broadcast_to(np.float32(by_place.get(place, 0.0)), weight.shape))


def _with_last_bias(model: Any, ids: np.ndarray, bias: float) -> float:
    _fill(model, {-1: bias})
    return float(np.ravel(model(tensor(ids)))[0])


def _words_dropped(model: Any, ids: np.ndarray) -> float:
    """Share of embedded words that are dropped: one number of the first word is all there is."""
    shapes = [tuple(weight.shape) for weight in model.trainable_weights]
    embedding, kernel, output = np.zeros(shapes[0]), np.zeros(shapes[1]), np.zeros(shapes[-2])
    embedding[1, 0] = 1.0
    kernel[:, 0] = 1.0
    output[:, 0] = 1 / len(output)
    means = {place: 1 / shape[-2] for place, shape in enumerate(shapes) if len(shape) > 1}
    _fill(model, means | {0: embedding, 1: kernel, len(shapes) - 2: output})
    marked = ids.copy()
    marked[0, 0] = 1
    return _share_unmoved(model, marked, model(tensor(ids)))


def _hidden_dropped(model: Any, ids: np.ndarray) -> float:
    """Share of the hidden layer's outputs that are dropped: only one of them is read."""
    _fill(model, {})
    silent = model(tensor(ids))
    bias, output = (np.zeros(model.trainable_weights[place].shape) for place in (-3, -2))
    bias[0] = output[0, 0] = 1.0
    _fill(model, {-3: bias, -2: output})
    return _share_unmoved(model, ids, silent)


def _share_unmoved(model: Any, ids: np.ndarray, silent: Any) -> float:
    """How often a text in training gives what it gives without its signal, to one decimal."""
    texts = tensor(np.repeat(ids, _TEXTS_AT_ONCE, axis=0))
    runs = [
        np.abs(np.array(model(texts, training=True)) - np.array(silent)) < 1e-4
        for _ in range(_TEXTS_TO_COUNT_DROPS // _TEXTS_AT_ONCE)
    ]
    return round(float(np.mean(runs)), 1)


EXERCISE = BuildConv1DClassifier()
