"""What ``fastformer.build_fastformer_classifier`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import classifiers
from course.exercises.fastformer.common import WEIGHTS, layer_weights, zeros
from course.exercises.masks import different_lengths, length_mask
from selfcheck.aspects import equals, has_shapes, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise

# --- the classifier ------------------------------------------------------------------------------

_SURE = np.float32(1000)
"""Of words with this feature a softmax is sure, whether embeddings are scaled or added twice."""


_LOUD = 100 * _SURE
"""In the embedding of padding: one padded token drowns all words of a mean that counts it."""


class BuildFastformerClassifier(Exercise):
    """Scaled embedding, Fastformer layers with residual connections, mean, class probabilities."""

    name = "fastformer.build_fastformer_classifier"
    lesson = "06-fastformer"
    section = 7
    said_later = classifiers.ROWS
    builds = True
    axes = classifiers.AXES
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
            10,
            ("three layers",),
            numbers_agree("parameters"),
        ),
        Aspect(
            "the embeddings are scaled by the square root of the hidden size",
            15,
            ("moved features",),
            numbers_agree("probabilities"),
        ),
        Aspect(
            "residual connections carry the words past layers that add nothing",
            15,
            ("silent layers",),
            numbers_agree("probabilities"),
        ),
        Aspect(
            "the mean ignores padding",
            10,
            ("queries alone",),
            numbers_agree("probabilities"),
        ),
        Aspect(
            "the probabilities are right",
            10,
            ("plain", "three layers"),
            numbers_agree("probabilities"),
        ),
        Aspect(
            "padding changes nothing: the mask reaches every layer",
            15,
            ("padding",),
            numbers_agree("probabilities"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, max_length), tables, and the weights of all layers, stacked."""
        random = random_state(seed)
        batch, heads = (int(n) for n in random.permutation([2, 3]))
        length, depth = (int(n) for n in random.permutation([5, 7]))
        size, classes, vocabulary_size = heads * depth, 4, int(random.choice([17, 19, 23]))
        inputs = {
            "ids": random.randint(1, vocabulary_size, (batch, length)),
            "num_heads": heads,
            "num_layers": 2,
            "table": normal(random, vocabulary_size, size) / np.float32(np.sqrt(size)),
            **_stacked(random, 2, size, heads),
            "class_kernel": normal(random, size, classes) / np.float32(np.sqrt(size)),
            "class_bias": normal(random, classes) / np.float32(4),
        }
        kept = length_mask(different_lengths(random, batch, length), length)
        deeper = {"num_layers": 3} | _stacked(random, 3, size, heads)
        sure = _sure_of_a_class(random, inputs)
        silent = zeros(inputs, *WEIGHTS.values())
        identity = np.broadcast_to(np.eye(size, dtype=np.float32), (2, size, size))
        changes = {
            "padding": {"ids": np.where(kept, inputs["ids"], 0)},
            "three layers": deeper,
            "plain": {},
            "moved features": silent | _moved_features(random, inputs),
            "silent layers": silent | sure,
            "queries alone": silent
            | sure
            | {"query_kernel": identity, "ids": np.where(kept, sure["ids"], 0)},
        }
        free = {"untrained": np.ones((batch, classes), bool)}
        return tuple(Case(name, inputs | change, free) for name, change in changes.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model; call it untrained, and then with the case's weights."""
        inputs = case.inputs
        (vocabulary_size, size), classes = inputs["table"].shape, len(inputs["class_bias"])
        length, heads, count = inputs["ids"].shape[1], inputs["num_heads"], inputs["num_layers"]
        # With half of everything dropped, an answer that drops while predicting shows.
        model = obj(length, vocabulary_size, classes, heads, size // heads, count, 0.5)
        values = {"table": inputs["table"]}
        for number in range(count):
            values |= {
                f"layer {number}: {path}": inputs[name][number] for path, name in WEIGHTS.items()
            }
        values |= {"class kernel": inputs["class_kernel"], "class bias": inputs["class_bias"]}
        return classifiers.outputs_of(model, inputs["ids"], values)


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
    words = np.arange(1, vocabulary_size)
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
