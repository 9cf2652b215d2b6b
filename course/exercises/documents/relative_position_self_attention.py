"""What ``documents.relative_position_self_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.attention.common import large_kernels, padded_queries
from course.exercises.heads import LayerWithHeads
from course.exercises.masks import different_lengths, length_mask
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case


class RelativePositionSelfAttention(LayerWithHeads):
    """A layer: multi-head self-attention whose logits know how far apart two tokens are."""

    name = "documents.relative_position_self_attention"
    lesson = "05-long-documents"
    section = 4
    builds = True
    axes = {"output": ("batch", "time", "hidden_size")}
    input_axes = {"inputs": ("batch", "time", "hidden_size")}
    aspects = (
        Aspect("output has the shape (batch, time, hidden_size)", 5, ("plain",), has_shapes(axes)),
        Aspect(
            "identical tokens stay identical, whatever their weights",
            10,
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
        Aspect("all three terms are added up", 10, ("plain",), numbers_agree("output")),
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
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, hidden_size), kernels, a table (2·max_length - 1, depth), masks."""
        random = random_state(seed)
        batch, heads = (int(size) for size in random.permutation([2, 3]))
        time, depth = (int(size) for size in random.permutation([4, 7]))
        size, max_length = heads * depth, time + int(random.randint(1, 3))
        inputs: dict[str, Any] = {
            "inputs": normal(random, batch, time, size),
            "num_heads": heads,
            "max_length": max_length,
            "mask": None,
        }
        for name in ("query", "key", "value", "output"):
            # Entries of variance 1/size keep the projections at the scale of the inputs.
            inputs[f"{name}_kernel"] = normal(random, size, size) / np.float32(np.sqrt(size))
        table = normal(random, 2 * max_length - 1, depth)
        inputs["distance_embedding"] = table
        # No other axis has five entries.
        far = {"max_length": 3, "distance_embedding": normal(random, 5, depth)}
        equal, nothing = inputs["inputs"][:, :1], np.zeros((size, size), np.float32)
        lengths = different_lengths(random, batch, time)
        padding = length_mask(lengths, time)
        one_padded = length_mask([0, *lengths[1:]], time)
        return (
            Case("plain", inputs),
            Case("equal tokens", inputs | {"inputs": np.repeat(equal, time, axis=1)}),
            Case("table of zeros", inputs | {"distance_embedding": np.zeros_like(table)}),
            Case("keys of zeros", inputs | {"key_kernel": nothing}),
            Case("queries of zeros", inputs | {"query_kernel": nothing}),
            Case("far apart", inputs | far),
            Case("padding mask", inputs | {"mask": padding}, padded_queries(padding, size)),
            Case("padded sample", inputs | {"mask": one_padded}, padded_queries(one_padded, size)),
            Case("large logits", inputs | _large_logits(inputs, depth)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's kernels (biases 0) and table, call it."""
        inputs = tensor(case.inputs["inputs"])
        layer = obj(inputs.shape[-1], case.inputs["num_heads"], case.inputs["max_length"])
        layer(inputs)
        kernels = {
            f"{role}_linear.kernel": case.inputs[f"{role}_kernel"]
            for role in ("query", "key", "value", "output")
        }
        table = {"distance_embedding.embeddings": case.inputs["distance_embedding"]}
        weights.assign(layer, kernels | table)
        mask = tensor(case.inputs["mask"])
        return {"output": layer(inputs) if mask is None else layer(inputs, mask=mask)}


def _large_logits(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """Inputs that raise every logit by the product of ``LARGE``, before scaling.

    The first feature of every head's queries and keys has one value everywhere; that of the
    distances is 0, so that softmax does not change.
    """
    tokens, table = inputs["inputs"].copy(), inputs["distance_embedding"].copy()
    tokens[..., 0], table[:, 0] = 1.0, 0.0
    return {"inputs": tokens, "distance_embedding": table, **large_kernels(inputs, depth)}


EXERCISE = RelativePositionSelfAttention()
