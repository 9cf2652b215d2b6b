"""What ``transformer.build_transformer_classifier`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import classifiers
from course.exercises.masks import different_lengths, length_mask
from course.exercises.transformer.common import SCALE, at_scale, encoder_weights, named
from selfcheck.aspects import equals, has_shapes, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise


class BuildTransformerClassifier(Exercise):
    """Embedding, encoder layer, mean over the tokens, dropout, class probabilities."""

    name = "transformer.build_transformer_classifier"
    lesson = "04-transformer-encoder"
    section = 5
    said_later = classifiers.ROWS
    builds = True
    axes = classifiers.AXES
    aspects = (
        Aspect("there is one row of num_classes numbers per text", 20, ("plain",),
               has_shapes({"untrained": axes["untrained"]})),
        Aspect("each row is a distribution", 20, ("plain",), equals("rows", ours=classifiers.ROWS)),
        Aspect(
            "the model has exactly the weights of these layers",
            20,
            ("plain",),
            numbers_agree("parameters"),
        ),
        Aspect("the probabilities are right", 20, ("plain",), numbers_agree("probabilities")),
        Aspect(
            "padding changes nothing: attention and the mean both ignore it",
            20,
            ("padding",),
            numbers_agree("probabilities"),
        ),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, max_length) without and with padding, and all weights."""
        random = random_state(seed)
        batch, heads = 3, 2
        max_length, depth = (int(n) for n in random.permutation([5, 7]))
        vocabulary_size, ff_dim = (int(n) for n in random.permutation([13, 17, 19])[:2])
        size, classes = heads * depth, 4
        tables = {
            "token_table": SCALE * normal(random, vocabulary_size, size),
            "position_table": SCALE * normal(random, max_length, size),
        }
        drawn = encoder_weights(random, size, ff_dim)
        inputs = {
            "num_heads": heads,
            **tables,
            **drawn,
            # Of the scale all through the layer, so that mistakes in it can be told apart even
            # where a norm is missing and probabilities are close to 0 and 1.
            **at_scale(drawn, "gamma_1", "beta_1", "expand_bias"),
            "contract_kernel": drawn["contract_kernel"] / SCALE,
            "class_kernel": normal(random, size, classes) / np.float32(np.sqrt(size)),
            "class_bias": normal(random, classes) / np.float32(4),
        }
        ids = random.randint(1, vocabulary_size, (batch, max_length))
        padded = np.where(length_mask(different_lengths(random, batch, max_length), max_length),
                          ids, 0)  # fmt: skip
        free = {"untrained": np.ones((batch, classes), bool)}
        return (
            Case("plain", inputs | {"ids": ids}, free),
            Case("padding", inputs | {"ids": padded}, free),
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
        model = obj(max_length, vocabulary_size, classes, size, ff_dim, heads, 0.5)
        tables = {"token table": inputs["token_table"], "position table": inputs["position_table"]}
        last = {"class kernel": inputs["class_kernel"], "class bias": inputs["class_bias"]}
        values = tables | named(inputs, "encoder: ") | last
        return classifiers.outputs_of(model, inputs["ids"], values)


EXERCISE = BuildTransformerClassifier()
