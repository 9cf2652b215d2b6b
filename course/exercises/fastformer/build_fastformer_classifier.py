"""What ``fastformer.build_fastformer_classifier`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import classifiers, dropout, weights
from course.exercises.fastformer.common import BLOCK_WEIGHTS, block_weights, zeros
from course.exercises.masks import different_lengths, length_mask
from course.exercises.transformer.common import SCALE, at_scale
from selfcheck.aspects import equals, has_shapes, identical, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

# --- the classifier ------------------------------------------------------------------------------

_RATES = 0.35, 0.45
"""Of the dropouts: none that a student would write into a model."""


_POOLING = "pool_kernel", "pool_bias", "pool_score_kernel", "pool_score_bias"
"""Kernel and bias of the two dense layers of ``AttentionPooling``, in order of creation."""


def _dropped_as_asked(observation: Observation) -> str:
    if isinstance(observation.received, Failure):
        return str(observation.received)
    seen = observation.received.get("dropping")
    if identical(seen, dropout.AS_ASKED):
        return ""
    if isinstance(seen, str) and seen in dropout.FOUND:
        return say(seen)
    return say("dropout in training wasn't measured: the layers don't have the expected weights")


SAME, DIFFERENT = "the same", "different"
"""What a text gives that comes many times in one batch."""


def _probabilities_agree(observation: Observation) -> str:
    received = observation.received
    if not isinstance(received, Failure) and identical(received.get("repeats"), DIFFERENT):
        return say(dropout.WHILE_PREDICTING)
    return classifiers.probabilities_agree(observation) or equals("repeats")(observation)


class BuildFastformerClassifier(Exercise):
    """Embeddings with dropout, Fastformer blocks, attention pooling, class probabilities."""

    name = "fastformer.build_fastformer_classifier"
    lesson = "06-fastformer"
    section = 5
    measured = ("rows", "repeats", "dropping")
    translatable_outputs = (*classifiers.ROWS, *dropout.FOUND)
    builds = True
    conditional = frozenset({"dropping"})
    axes = {**classifiers.AXES, "repeats": (), "dropping": ()}
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
            "there are num_blocks Fastformer blocks",
            5,
            ("three blocks", "no blocks"),
            numbers_agree("parameters"),
        ),
        Aspect(
            "embeddings are dropped at the given rate, in training only",
            10,
            ("no blocks",),
            _dropped_as_asked,
        ),
        Aspect(
            "the blocks drop at the given rate, and nothing is dropped after them",
            5,
            ("plain",),
            _dropped_as_asked,
        ),
        Aspect(
            "without blocks, words that score alike are averaged",
            10,
            ("words that score alike",),
            _probabilities_agree,
        ),
        Aspect(
            "without blocks, the words are pooled by their scores",
            15,
            ("no blocks",),
            _probabilities_agree,
        ),
        Aspect(
            "the pooling ignores padding",
            10,
            ("padding without blocks",),
            _probabilities_agree,
        ),
        Aspect(
            "the probabilities are right",
            10,
            ("plain", "three blocks"),
            _probabilities_agree,
        ),
        Aspect(
            "padding changes nothing: the mask reaches every block",
            10,
            ("padding",),
            _probabilities_agree,
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Ids (batch, max_length), tables, and the weights of all blocks, stacked."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, heads = 3, 2
        length, depth = (int(n) for n in random.permutation([5, 7]))
        size, classes, vocabulary_size = heads * depth, 4, int(random.choice([17, 19, 23]))
        ff_dim = int(random.choice([8, 9, 11]))
        ids = random.randint(2, vocabulary_size, (batch, length))
        # The first and the last row of the table that a word may have; not all texts begin alike.
        ids[:, :2] = 1, vocabulary_size - 1
        ids[1, :2] = vocabulary_size - 1, 1
        root = np.float32(np.sqrt(size))
        inputs = {
            "ids": ids,
            "num_heads": heads,
            "num_blocks": 2,
            "rate": float(random.choice(_RATES)),
            "table": SCALE * normal(random, vocabulary_size, size),
            **_stacked(random, 2, size, heads, ff_dim),
            "pool_kernel": normal(random, size, size) / (root * SCALE),
            "pool_bias": normal(random, size) / np.float32(4),
            "pool_score_kernel": normal(random, size, 1),
            "pool_score_bias": normal(random, 1),
            "class_kernel": normal(random, size, classes) / (root * SCALE),
            "class_bias": normal(random, classes) / np.float32(4),
        }
        none = {"num_blocks": 0} | {name: inputs[name][:0] for name in BLOCK_WEIGHTS.values()}
        # Two classes need a softmax, too.
        two = {name: inputs[name][..., :2] for name in ("class_kernel", "class_bias")}
        kept = length_mask(different_lengths(random, batch, length), length)
        # Padding may be anywhere: in the second text it comes first, or before the last word.
        first, between = kept.copy(), kept.copy()
        first[1] = kept[1][::-1]
        between[1] = np.roll(first[1], 1)
        changes = {
            # First, because a known mistake costs least here.
            "words that score alike": none | two | zeros(inputs, "pool_score_kernel"),
            "no blocks": none,
            "padding without blocks": none | {"ids": np.where(between, ids, 0)},
            "padding": {"ids": np.where(first, ids, 0)},
            "three blocks": {"num_blocks": 3} | _stacked(random, 3, size, heads, ff_dim),
            "plain": {},
        }
        # Untrained, the numbers are free, and for two classes no mistake can say what they are in
        # another shape.
        asks = dict.fromkeys(changes, (*classifiers.AXES, "repeats")) | {
            "words that score alike": ("probabilities", "parameters", "rows", "repeats"),
            "no blocks": (*classifiers.AXES, "repeats", "dropping"),
            "plain": (*classifiers.AXES, "repeats", "dropping"),
        }
        all_inputs = {name: inputs | change for name, change in changes.items()}
        return tuple(
            Case(
                name,
                given,
                {"untrained": np.ones((batch, len(given["class_bias"])), bool)},
                asks[name],
            )
            for name, given in all_inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the model; call it untrained, with the case's weights, and while training."""
        inputs, ids = case.inputs, case.inputs["ids"]
        (vocabulary_size, size), classes = inputs["table"].shape, len(inputs["class_bias"])
        heads, count, rate = (inputs[name] for name in ("num_heads", "num_blocks", "rate"))
        ff_dim = inputs["expand_bias"].shape[-1]
        sizes = heads, size // heads, ff_dim, count
        model = obj(ids.shape[1], vocabulary_size, classes, *sizes, rate)
        values = {"table": inputs["table"]}
        for number in range(count):
            values |= {
                f"block {number}: {name}": inputs[name][number] for name in BLOCK_WEIGHTS.values()
            }
        values |= {name: inputs[name] for name in (*_POOLING, "class_kernel", "class_bias")}
        outputs, fit = classifiers.outputs_of(model, ids, values)
        steady = dropout.is_steady(model, ids)
        outputs["repeats"] = SAME if steady else DIFFERENT
        if fit and case.name in ("plain", "no blocks"):
            outputs["dropping"] = dropout.found(model, ids.shape[1], values, rate)
            weights.assign(model, values)  # the next case may ask the same model
        if not steady:
            with weights.without_dropout(model):
                outputs["probabilities"] = model(weights.tensor(ids))
        return outputs


def _stacked(
    random: np.random.RandomState, count: int, size: int, heads: int, ff_dim: int
) -> dict[str, np.ndarray]:
    """The weights of ``count`` blocks, each by name with the block as the first axis."""
    drawn = [block_weights(random, size, heads, ff_dim) for _ in range(count)]
    # The next block's inputs are of the same scale.
    drawn = [block | at_scale(block, "gamma_2", "beta_2") for block in drawn]
    return {name: np.stack([block[name] for block in drawn]) for name in drawn[0]}


EXERCISE = BuildFastformerClassifier()
