"""What ``documents.relative_position_self_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.attention.common import large_kernels, padded_queries
from course.exercises.heads import LayerWithHeads, set_output_bias
from course.exercises.masks import length_mask
from course.exercises.training_mode import SAME, WHILE_TRAINING, learns, while_training
from course.exercises.weights import tensor
from selfcheck.aspects import equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Observation
from selfcheck.sampling import normal, random_state

HIDDEN = 64
"""Factor for a feature of padding, which makes its logits the highest by far: if they were lowered
too little, or left out after the softmax, the other weights would be 0."""

FROZEN = "as while predicting, but some weights get no gradient"

_TRAINING = (*WHILE_TRAINING, FROZEN)
"""The possible findings on outputs in training."""


def _also_in_training(observation: Observation) -> str:
    """The output is right, the same while training, and the weights learn from it."""
    agrees = equals("training", ours=_TRAINING)
    return numbers_agree("output")(observation) or agrees(observation)


def _kept_weights(observation: Observation) -> str:
    """The weights that the layer keeps are right. A layer that keeps none does the same work."""
    received = observation.received
    if isinstance(received, Mapping) and "weights" not in received:
        return ""
    return numbers_agree("weights")(observation)


class RelativePositionSelfAttention(LayerWithHeads):
    """A layer: multi-head self-attention whose logits know how far apart two tokens are."""

    name = "documents.relative_position_self_attention"
    lesson = "05-long-documents"
    section = 4
    builds = True
    optional = frozenset({"weights"})
    translatable_outputs = _TRAINING
    axes = {
        "output": ("batch", "time", "hidden_size"),
        "weights": ("batch", "heads", "queries", "keys"),
        "training": (),
    }
    input_axes = {"inputs": ("batch", "time", "hidden_size")}
    aspects = (
        Aspect(
            "output has the shape (batch, time, hidden_size)",
            5,
            ("plain",),
            has_shapes({"output": axes["output"]}),
        ),
        Aspect(
            "the numbers are right for identical tokens, whatever their weights",
            5,
            ("equal tokens",),
            numbers_agree("output"),
        ),
        Aspect(
            "with a table of zeros, it's multi-head self-attention",
            15,
            ("table of zeros",),
            numbers_agree("output"),
        ),
        Aspect(
            "queries times distances: q·a, scaled",
            15,
            ("keys of zeros",),
            numbers_agree("output"),
        ),
        Aspect(
            "keys times distances: k·a, scaled",
            15,
            ("queries of zeros",),
            numbers_agree("output"),
        ),
        Aspect(
            "all three terms are added up, also while training",
            10,
            ("plain",),
            _also_in_training,
        ),
        Aspect(
            "large distances share the first and last rows of the table",
            10,
            ("far apart",),
            numbers_agree("output"),
        ),
        Aspect("padded tokens are not attended to", 10, ("padding mask",), numbers_agree("output")),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            5,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect(
            "large logits give finite, correct results",
            5,
            ("large logits",),
            numbers_agree("output"),
        ),
        Aspect(
            "last_weights are the weights after mask and softmax",
            5,
            ("padding mask",),
            _kept_weights,
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, hidden_size), kernels, a table (2·max_length - 1, depth), masks."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, heads = 3, 2
        time, depth = (int(size) for size in random.permutation([4, 7]))
        size, max_length = heads * depth, time + 2
        inputs: dict[str, Any] = {
            "inputs": normal(random, batch, time, size),
            "num_heads": heads,
            "max_length": max_length,
            "mask": None,
            "keeps_weights": False,
            "trains": False,
        }
        for name in ("query", "key", "value", "output"):
            # Entries of variance 1/size keep the projections at the scale of the inputs.
            inputs[f"{name}_kernel"] = normal(random, size, size) / np.float32(np.sqrt(size))
        table = normal(random, 2 * max_length - 1, depth)
        inputs["distance_embedding"] = table
        inputs["output_bias"] = normal(random, size) / np.float32(4)
        # No other axis has five entries.
        far = {"max_length": 3, "distance_embedding": normal(random, 5, depth)}
        # A token of zeros is a token where no mask says otherwise.
        far["inputs"] = inputs["inputs"].copy()
        far["inputs"][:, 1] = 0
        equal, nothing = inputs["inputs"][:2, :1], np.zeros((size, size), np.float32)
        padding = _padding(random, batch, time)
        one_padded = padding.copy()
        one_padded[0] = False
        free = padded_queries(padding, size)
        weights_free = np.broadcast_to(~padding[:, None, :, None], (batch, heads, time, time))
        return (
            Case("plain", inputs | {"trains": True}),
            # The same layer meets a longer text.
            Case("equal tokens", inputs | {"inputs": np.repeat(equal, max_length, axis=1)}),
            Case("table of zeros", inputs | {"distance_embedding": np.zeros_like(table)}),
            Case("keys of zeros", inputs | {"key_kernel": nothing}),
            Case("queries of zeros", inputs | {"query_kernel": nothing}),
            Case("far apart", inputs | far),
            Case(
                "padding mask",
                inputs | {"mask": padding, "keeps_weights": True},
                {**free, "weights": weights_free},
            ),
            Case("padded sample", inputs | {"mask": one_padded}, padded_queries(one_padded, size)),
            Case("large logits", inputs | _large_logits(inputs, depth, padding), free),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's kernels, output bias and table, call it."""
        inputs, mask = tensor(case.inputs["inputs"]), tensor(case.inputs["mask"])
        layer = obj(inputs.shape[-1], case.inputs["num_heads"], case.inputs["max_length"])
        # Built with the mask, too, so that a layer that needs one fails where there is none.
        attend = partial(layer, inputs) if mask is None else partial(layer, inputs, mask=mask)
        attend()
        kernels = {
            f"{role}_linear.kernel": case.inputs[f"{role}_kernel"]
            for role in ("query", "key", "value", "output")
        }
        table = {"distance_embedding.embeddings": case.inputs["distance_embedding"]}
        weights.assign(layer, kernels | table)
        set_output_bias(layer, case.inputs["output_bias"])
        outputs = {"output": attend(training=False)}
        # The weights are kept in another case: a call in training would leave others.
        if case.inputs["trains"]:
            outputs["training"] = while_training(attend, outputs["output"])
            if outputs["training"] == SAME and not learns(
                layer.trainable_weights, attend, outputs["output"]
            ):
                outputs["training"] = FROZEN
        kept = getattr(layer, "last_weights", None) if case.inputs["keeps_weights"] else None
        return outputs if kept is None else {**outputs, "weights": kept}


def _padding(random: np.random.RandomState, batch: int, time: int) -> np.ndarray:
    """Samples of different lengths, of at least two tokens each: the second one's are in the
    middle, with padding on both sides, and those of the others come first. The last one has none.
    """
    middle = int(random.randint(2, time - 1))
    others = [length for length in range(2, time) if length != middle]
    fewer = (int(length) for length in random.permutation(others)[: batch - 2])
    mask = length_mask([*fewer, middle, time], time)
    mask[1] = np.roll(mask[1], int(random.randint(1, time - middle)))
    return mask


def _large_logits(inputs: Mapping[str, Any], depth: int, mask: np.ndarray) -> dict[str, np.ndarray]:
    """A mask, and inputs that raise every logit of the first head by the product of ``LARGE``,
    before scaling, and lower those of the other heads by as much; those of padding far more.

    The first feature of a head's queries and keys has one value for all tokens; that of the
    distances is 0, so that softmax does not change.
    """
    tokens, table = inputs["inputs"].copy(), inputs["distance_embedding"].copy()
    tokens[..., 0], table[:, 0] = np.where(mask, 1, HIDDEN), 0
    kernels = large_kernels(inputs, depth)
    kernels["key_kernel"][0, depth::depth] *= -1
    return {"inputs": tokens, "distance_embedding": table, "mask": mask, **kernels}


EXERCISE = RelativePositionSelfAttention()
