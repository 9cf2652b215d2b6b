"""What ``transformer.encoder_layer`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.attention.common import LARGE, padded_queries
from course.exercises.heads import LayerWithHeads
from course.exercises.masks import different_lengths, length_mask
from course.exercises.transformer.common import SCALE, at_scale, encoder_weights, named
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case


class EncoderLayer(LayerWithHeads):
    """A layer: attention and a feed-forward network, each with residual, dropout and norm."""

    name = "transformer.encoder_layer"
    lesson = "04-transformer-encoder"
    section = 4
    builds = True
    axes = {"output": ("batch", "time", "embedding_dim")}
    input_axes = {"inputs": ("batch", "time", "embedding_dim")}
    aspects = (
        Aspect("output has the shape (batch, time, embedding_dim)", 10, ("plain",),
               has_shapes(axes)),
        Aspect(
            "the feed-forward half is right when attention adds nothing",
            20,
            ("feed-forward alone",),
            numbers_agree("output"),
        ),
        Aspect(
            "the attention half is right when the feed-forward network adds nothing",
            20,
            ("attention alone",),
            numbers_agree("output"),
        ),
        Aspect("both together are right", 10, ("plain",), numbers_agree("output")),
        Aspect("padded tokens are not attended to", 20, ("padding mask",), numbers_agree("output")),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            10,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect(
            "large logits give finite, correct results",
            10,
            ("large logits",),
            numbers_agree("output"),
        ),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, embedding_dim), weights, padding masks (batch, time)."""
        random = random_state(seed)
        batch, heads = (int(n) for n in random.permutation([2, 3, 4])[:2])
        time, depth = (int(n) for n in random.permutation([5, 7]))
        ff_dim = int(random.choice([9, 11, 13]))
        size = heads * depth
        drawn = encoder_weights(random, size, ff_dim)
        x = SCALE * normal(random, batch, time, size)
        inputs = {"inputs": x, "num_heads": heads, "mask": None} | drawn
        silent_attention = {name: np.zeros_like(drawn[name]) for name in
                            ("output_kernel", "output_bias")}  # fmt: skip
        silent_network = {name: np.zeros_like(drawn[name]) for name in
                          ("contract_kernel", "contract_bias")}  # fmt: skip
        # What goes into the second norm is then what the first one gives.
        silent_network |= at_scale(drawn, "gamma_1", "beta_1")
        lengths = different_lengths(random, batch, time)
        padding, padded = length_mask(lengths, time), length_mask([0, *lengths[1:]], time)
        return (
            Case("plain", inputs),
            Case("feed-forward alone", inputs | silent_attention),
            Case("attention alone", inputs | silent_network),
            Case("padding mask", inputs | {"mask": padding}, padded_queries(padding, size)),
            Case("padded sample", inputs | {"mask": padded}, padded_queries(padded, size)),
            Case("large logits", inputs | _large_projections(inputs, depth)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's weights, call it as when predicting."""
        inputs = tensor(case.inputs["inputs"])
        heads, ff_dim = case.inputs["num_heads"], len(case.inputs["expand_bias"])
        # With half of everything dropped, an answer that drops while predicting shows.
        layer = obj(inputs.shape[-1], ff_dim, heads, 0.5)
        layer(inputs)
        # A layer that attends by itself is filled in order of creation, whatever else it names.
        by_name = hasattr(getattr(layer, "attention", None), "query_dense")
        weights.assign(layer, named(case.inputs, "" if by_name else "encoder: "))
        mask = tensor(case.inputs["mask"])
        if mask is None:
            return {"output": layer(inputs, training=False)}
        return {"output": layer(inputs, mask=mask, training=False)}


def _large_projections(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """What gives the first feature of every head's queries, and of its keys, one large value."""
    x = inputs["inputs"].copy()
    x[..., 0] = SCALE
    changed = {"inputs": x}
    for role, feature in zip(("query", "key"), LARGE, strict=True):
        kernel, bias = inputs[f"{role}_kernel"].copy(), inputs[f"{role}_bias"].copy()
        kernel[:, ::depth] = bias[::depth] = 0
        kernel[0, ::depth] = feature / SCALE
        changed |= {f"{role}_kernel": kernel, f"{role}_bias": bias}
    return changed


EXERCISE = EncoderLayer()
