"""What ``transformer.encoder_layer`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.attention.common import LARGE, padded_queries
from course.exercises.dropout import CHANGING, WHILE_PREDICTING
from course.exercises.heads import LayerWithHeads
from course.exercises.masks import different_lengths, length_mask
from course.exercises.transformer import dropout_shares
from course.exercises.transformer.common import SCALE, at_scale, encoder_weights, named
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, identical, numbers_agree
from selfcheck.exercise import Aspect, Case, Failure, Observation
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say


def _changing(observation: Observation) -> bool:
    received = observation.received
    return not isinstance(received, Failure) and identical(received.get("output"), CHANGING)


def _has_shape(observation: Observation) -> str:
    """Outputs that change are only looked for among those of the right shape."""
    shape = has_shapes({"output": EncoderLayer.axes["output"]})
    return "" if _changing(observation) else shape(observation)


def _output_agrees(observation: Observation) -> str:
    if _changing(observation):
        return say(WHILE_PREDICTING)
    return numbers_agree("output")(observation)


def _padding_is_hidden(observation: Observation) -> str:
    if "padding" not in observation.expected.outputs:
        return _output_agrees(observation)
    return dropout_shares.padding_is_hidden(observation)


class EncoderLayer(LayerWithHeads):
    """A layer: attention and a feed-forward network, each with residual, dropout and norm."""

    name = "transformer.encoder_layer"
    lesson = "04-transformer-encoder"
    section = 3
    measured = ("shares", "padding")
    translatable_outputs = (CHANGING,)
    builds = True
    axes = {
        "output": ("batch", "time", "embedding_dim"),
        "shares": ("questions", "values"),
        "padding": (),
    }
    input_axes = {"inputs": ("batch", "time", "embedding_dim"), "expand_bias": ("ff_dim",)}
    aspects = (
        Aspect("output has the shape (batch, time, embedding_dim)", 10, ("plain",),
               _has_shape),
        Aspect(
            "the feed-forward half is right when attention adds nothing",
            15,
            ("feed-forward alone",),
            _output_agrees,
        ),
        Aspect(
            "the attention half is right when the feed-forward network adds nothing",
            15,
            ("attention alone",),
            _output_agrees,
        ),
        Aspect("both together are right", 10, ("plain",), _output_agrees),
        Aspect(
            "padded tokens are not attended to",
            15,
            ("padding mask", "padding in training"),
            _padding_is_hidden,
        ),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            10,
            ("padded sample",),
            _output_agrees,
        ),
        Aspect(
            "large logits give finite, correct results",
            10,
            ("large logits",),
            _output_agrees,
        ),
        Aspect(
            "in training, outputs of attention and of the network are dropped at the given rate",
            10,
            ("training",),
            dropout_shares.parts_are_dropped,
        ),
        Aspect(
            "nothing else is dropped, and nothing when predicting",
            5,
            ("training",),
            dropout_shares.nothing_else_is_dropped,
        ),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, embedding_dim), weights, padding masks (batch, time)."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, (heads, time, depth) = 3, ((4, 7, 5), (2, 5, 7))[random.randint(2)]
        ff_dim = int(random.choice([9, 11, 13]))
        size = heads * depth
        drawn = encoder_weights(random, size, ff_dim)
        x = SCALE * normal(random, batch, time, size)
        x[:, 1] = 0  # a token like any other
        inputs = {"inputs": x, "num_heads": heads, "mask": None} | drawn
        silent_attention = {name: np.zeros_like(drawn[name]) for name in
                            ("output_kernel", "output_bias")}  # fmt: skip
        silent_network = {name: np.zeros_like(drawn[name]) for name in
                          ("contract_kernel", "contract_bias")}  # fmt: skip
        # What goes into the second norm is then what the first one gives.
        silent_network |= at_scale(drawn, "gamma_1", "beta_1")
        lengths = different_lengths(random, batch, time)
        if time not in lengths:
            lengths[0] = time
        padded = length_mask([0, *lengths[1:]], time)
        # As many tokens as texts, and a different number of them in each.
        square = length_mask([2, 1, batch], batch)
        few = {"inputs": x[:, :batch], "mask": square}
        trained = dropout_shares.training_case(random)
        predicted = ("output",)
        return (
            Case("plain", inputs, asks=predicted),
            Case("feed-forward alone", inputs | silent_attention, asks=predicted),
            Case("attention alone", inputs | silent_network, asks=predicted),
            Case("padding mask", inputs | few, padded_queries(square, size), predicted),
            Case(
                "padded sample", inputs | {"mask": padded}, padded_queries(padded, size), predicted
            ),
            Case("large logits", inputs | _large_projections(inputs, depth), asks=predicted),
            trained,
            dropout_shares.padding_case(trained),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's weights, call it as when predicting or training."""
        inputs, mask = case.inputs["inputs"], tensor(case.inputs["mask"])
        heads, ff_dim = case.inputs["num_heads"], len(case.inputs["expand_bias"])
        # With half of everything dropped, an answer that drops while predicting shows; with nothing
        # dropped, it shows whether its numbers are right.
        rate = case.inputs.get("rate", 0.5 if mask is None else 0.0)
        layer = obj(inputs.shape[-1], ff_dim, heads, rate)
        given = {} if mask is None else {"mask": mask}
        # Two tokens at least, so that whatever is done with a lone one, all parts have weights.
        batch, time, size = inputs.shape
        shape = batch, max(time, 2), size
        layer(
            tensor(np.zeros(shape, np.float32)),
            **({} if mask is None else {"mask": tensor(np.ones(shape[:2], bool))}),
        )
        # A layer that attends by itself is filled in order of creation, whatever else it names.
        by_name = hasattr(getattr(layer, "attention", None), "query_dense")
        weights.assign(layer, named(case.inputs, "" if by_name else "encoder: "))
        if case.inputs.get("compare"):
            return {"padding": dropout_shares.what_padding_does(layer, case.inputs)}
        if "rate" in case.inputs:
            return {"shares": dropout_shares.shares_in_training(layer, case.inputs)}
        # Once as in the notebook, which doesn't say that nobody is training.
        given |= {} if case.name == "plain" else {"training": False}
        output, again = (layer(tensor(inputs), **given) for _ in range(2))
        # Numbers that change from call to call can't be compared, even if they're right by chance.
        changes = not _alike(output, again, inputs.shape)
        return {"output": CHANGING if changes else output}


def _alike(output: Any, again: Any, shape: tuple[int, ...]) -> bool:
    """Whether two calls give the same, or nothing of the right shape."""
    if tuple(getattr(output, "shape", ())) != shape:
        return True
    return np.allclose(np.array(output), np.array(again), rtol=1e-3, atol=1e-3, equal_nan=True)


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
