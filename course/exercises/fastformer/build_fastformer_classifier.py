"""What ``fastformer.build_fastformer_classifier`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import classifiers
from course.exercises.fastformer import dropping
from course.exercises.fastformer.common import WEIGHTS, layer_weights, some, zeros
from course.exercises.masks import different_lengths, length_mask
from selfcheck.aspects import equals, has_shapes, identical, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation
from selfcheck.texts import say

# --- the classifier ------------------------------------------------------------------------------

_SURE = np.float32(1000)
"""Of words with this feature a softmax is sure, whether embeddings are scaled or added twice."""


_LOUD = 100 * _SURE
"""In the embedding of padding: one padded token drowns all words of a mean that counts it."""


_RATES = 0.35, 0.45
"""Of the dropouts: none that a student would write into a model."""


def _dropped_as_asked(observation: Observation) -> str:
    if isinstance(observation.received, Failure):
        return str(observation.received)
    seen = observation.received.get("dropping")
    if identical(seen, dropping.AS_ASKED):
        return ""
    if isinstance(seen, str) and seen in dropping.FOUND:
        return say(seen)
    return say("dropout in training wasn't measured: the layers don't have the expected weights")


def _probabilities_agree(observation: Observation) -> str:
    received = observation.received
    changing = not isinstance(received, Failure) and received.get("probabilities")
    if isinstance(changing, str) and changing == dropping.CHANGING:
        return say(dropping.WHILE_PREDICTING)
    return numbers_agree("probabilities")(observation)


class BuildFastformerClassifier(Exercise):
    """Scaled embedding, Fastformer layers with residual connections, mean, class probabilities."""

    name = "fastformer.build_fastformer_classifier"
    lesson = "06-fastformer"
    section = 7
    said_later = (*classifiers.ROWS, dropping.CHANGING, *dropping.FOUND)
    builds = True
    input_classes = {
        "texts without padding": lambda cases: (
            len(cases) > 1 and some(cases, lambda given: (given["ids"] > 0).all())
        ),
        "texts of different lengths": lambda cases: some(
            cases, lambda given: len(set((given["ids"] > 0).sum(axis=1))) > 1
        ),
        "padding before the words": lambda cases: some(
            cases, lambda given: (given["ids"][:, 0] == 0).any()
        ),
        "padding between the words": lambda cases: some(
            cases,
            lambda given: (
                (given["ids"][:, :-1] == 0) & (given["ids"][:, 1:] > 0) & (given["ids"][:, :1] > 0)
            ).any(),
        ),
        "padding after the words": lambda cases: some(
            cases, lambda given: (given["ids"][:, -1] == 0).any()
        ),
        "unknown words, id 1, beside padding": lambda cases: some(
            cases, lambda given: {0, 1} <= set(given["ids"].flat)
        ),
        "the last row of the table": lambda cases: (
            len(cases) > 1
            and some(cases, lambda given: given["ids"].max() == len(given["table"]) - 1)
        ),
        "no layers": lambda cases: some(cases, lambda given: given["num_layers"] == 0),
        "two layers": lambda cases: (
            len(cases) > 1 and some(cases, lambda given: given["num_layers"] == 2)
        ),
        "three layers": lambda cases: some(cases, lambda given: given["num_layers"] == 3),
        "a rate that is not half": lambda cases: (
            len(cases) > 1
            and some(cases, lambda given: given["rate"] not in (0.1, 0.2, 0.25, 0.3, 0.4, 0.5))
        ),
        "padding whose embedding is not 0": lambda cases: some(
            cases, lambda given: (given["ids"] == 0).any() and given["table"][0].any()
        ),
        "layers that add nothing": lambda cases: some(
            cases, lambda given: given["num_layers"] and not given["query_kernel"].any()
        ),
    }
    axes = {**classifiers.AXES, "dropping": ()}
    aspects = (
        Aspect(
            "there is one row of num_classes numbers per text",
            5,
            ("plain",),
            has_shapes({"untrained": axes["untrained"]}),
        ),
        Aspect("each row is a distribution", 10, ("plain",), equals("rows", ours=classifiers.ROWS)),
        Aspect(
            "the model has exactly the weights of these layers",
            10,
            ("plain",),
            numbers_agree("parameters"),
        ),
        Aspect(
            "there are num_layers Fastformer layers",
            5,
            ("three layers", "no layers"),
            numbers_agree("parameters"),
        ),
        Aspect(
            "words and means are dropped at the given rate, in training only",
            10,
            ("plain",),
            _dropped_as_asked,
        ),
        Aspect(
            "the embeddings are scaled by the square root of the hidden size",
            15,
            ("moved features",),
            _probabilities_agree,
        ),
        Aspect(
            "residual connections carry the words past layers that add nothing",
            15,
            ("silent layers",),
            _probabilities_agree,
        ),
        Aspect(
            "the mean ignores padding",
            10,
            ("queries alone",),
            _probabilities_agree,
        ),
        Aspect(
            "the probabilities are right",
            5,
            ("plain", "three layers", "no layers"),
            _probabilities_agree,
        ),
        Aspect(
            "padding changes nothing: the mask reaches every layer",
            15,
            ("padding",),
            _probabilities_agree,
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, max_length), tables, and the weights of all layers, stacked."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, heads = 3, 2
        length, depth = (int(n) for n in random.permutation([5, 7]))
        size, classes, vocabulary_size = heads * depth, 4, int(random.choice([17, 19, 23]))
        ids = random.randint(2, vocabulary_size, (batch, length))
        # The first and the last row of the table that a word may have.
        ids[:, :2] = 1, vocabulary_size - 1
        inputs = {
            "ids": ids,
            "num_heads": heads,
            "num_layers": 2,
            "rate": float(random.choice(_RATES)),
            "table": normal(random, vocabulary_size, size) / np.float32(np.sqrt(size)),
            **_stacked(random, 2, size, heads),
            "class_kernel": normal(random, size, classes) / np.float32(np.sqrt(size)),
            "class_bias": normal(random, classes) / np.float32(4),
        }
        kept = length_mask(different_lengths(random, batch, length), length)
        # Padding may be anywhere: in the second text it comes first, or before the last word.
        first, between = kept.copy(), kept.copy()
        first[1] = kept[1][::-1]
        between[1] = np.roll(first[1], 1)
        sure = _sure_of_a_class(random, inputs)
        silent = zeros(inputs, *WEIGHTS.values())
        identity = np.broadcast_to(np.eye(size, dtype=np.float32), (2, size, size))
        changes = {
            # First, because a known mistake costs least here.
            "no layers": {"num_layers": 0}
            | {name: inputs[name][:0] for name in WEIGHTS.values()}
            # Two classes need a softmax, too.
            | {
                "class_kernel": inputs["class_kernel"][:, :2],
                "class_bias": inputs["class_bias"][:2],
            },
            "padding": {"ids": np.where(first, inputs["ids"], 0)},
            "three layers": {"num_layers": 3} | _stacked(random, 3, size, heads),
            "plain": {},
            "moved features": silent | _moved_features(random, inputs),
            "silent layers": silent | sure,
            "queries alone": silent
            | sure
            | {"query_kernel": identity, "ids": np.where(between, sure["ids"], 0)},
        }
        all_inputs = {name: inputs | change for name, change in changes.items()}
        return tuple(
            Case(name, given, {"untrained": np.ones((batch, len(given["class_bias"])), bool)})
            for name, given in all_inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model; call it untrained, with the case's weights, and while training."""
        inputs = case.inputs
        (vocabulary_size, size), classes = inputs["table"].shape, len(inputs["class_bias"])
        heads, count, rate = (inputs[name] for name in ("num_heads", "num_layers", "rate"))
        ids = inputs["ids"]
        model = obj(ids.shape[1], vocabulary_size, classes, heads, size // heads, count, rate)
        values = {"table": inputs["table"]}
        for number in range(count):
            values |= {
                f"layer {number}: {path}": inputs[name][number] for path, name in WEIGHTS.items()
            }
        values |= {"class kernel": inputs["class_kernel"], "class bias": inputs["class_bias"]}
        outputs = classifiers.outputs_of(model, ids, values)
        if case.name == "no layers":
            # The numbers are free, and no mistake can say what they are in another shape.
            outputs.pop("untrained")
        filled = "probabilities" in outputs
        # Numbers that change from call to call can't be compared, even if they're right by chance.
        if filled and not dropping.is_steady(model, ids):
            outputs["probabilities"] = dropping.CHANGING
        if case.name == "plain":
            seen = dropping.found(model, ids, size, rate, filled=filled)
            outputs |= {"dropping": seen} if seen else {}
        return outputs


def _stacked(
    random: np.random.RandomState, count: int, size: int, heads: int
) -> dict[str, np.ndarray]:
    """The weights of ``count`` layers, each by name with the layer as the first axis."""
    drawn = [layer_weights(random, size, size, heads) for _ in range(count)]
    # Residual connections add up; at half the scale the last layer's inputs are not far off.
    half = np.float32(0.5)
    return {name: half * np.stack([layer[name] for layer in drawn]) for name in drawn[0]}


def _sure_of_a_class(
    random: np.random.RandomState, inputs: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Texts of one repeated word each, whose class is beyond doubt; padding speaks for class 0."""
    batch, length = inputs["ids"].shape
    (vocabulary_size, size), classes = inputs["table"].shape, len(inputs["class_bias"])
    words = np.arange(2, vocabulary_size)
    chosen = random.permutation(words[words % classes > 0])[:batch]
    table = _SURE * np.eye(size, dtype=np.float32)[np.arange(vocabulary_size) % classes]
    table[0] = _LOUD * np.eye(size, dtype=np.float32)[0]
    return {
        "ids": np.repeat(chosen[:, None], length, axis=1),
        "table": table,
        "class_kernel": np.eye(size, classes, dtype=np.float32),
    }


def _moved_features(
    random: np.random.RandomState, inputs: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Queries that move features: each of two layers to columns which are empty before.

    The class is read from the last columns, where residual connections have nothing to add.
    """
    size = inputs["table"].shape[1]
    third = size // 3
    first, second, last = (slice(n * third, (n + 1) * third) for n in range(3))
    table, kernel = np.zeros_like(inputs["table"]), np.zeros_like(inputs["query_kernel"])
    table[:, first] = inputs["table"][:, first]
    kernel[0, first, second] = normal(random, third, third) / np.float32(np.sqrt(third))
    kernel[1, second, last] = np.eye(third)
    classes = np.zeros_like(inputs["class_kernel"])
    classes[last] = normal(random, third, classes.shape[1])
    return {"table": table, "query_kernel": kernel, "class_kernel": classes}


EXERCISE = BuildFastformerClassifier()
