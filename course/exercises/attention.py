"""Exercises of ``03-attention``: averaging, scaled dot-product and multi-head self-attention."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.aspects import (
    Examine,
    absent,
    describe,
    has_shapes,
    identical,
    numbers_agree,
    rows_sum_to_one,
)
from course.exercises.base import (
    Aspect,
    Case,
    Exercise,
    Failure,
    Observation,
    WrongReturn,
    different_lengths,
    distinct_sizes,
    length_mask,
    normal,
    random_state,
    tensor,
)
from course.texts import say

LARGE = (30.0, 20.0)
"""A feature of all queries and of all keys. Their product raises every logit by 600 before scaling:
softmax does not change, but exp() overflows float32 unless it is computed stably."""

LOW = 12.0
"""Likewise, so that all logits are lower by 144 before scaling."""


class AverageAttention(Exercise):
    """A weighted mean over time; the weights are a softmax of scaled dot products."""

    name = "attention.average_attention"
    lesson = "03-attention"
    section = 1
    axes = {"output": ("batch", "features")}
    input_axes = {"hidden": ("batch", "time", "d")}
    aspects = (
        Aspect("output has the shape (batch, features)", 20, ("plain",), has_shapes(axes)),
        Aspect("equal hidden states come back unchanged", 20, ("equal",), numbers_agree("output")),
        Aspect("the numbers are right", 40, ("plain",), numbers_agree("output")),
        Aspect(
            "large scores stay finite and right", 20, ("large logits",), numbers_agree("output")
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Hidden states (batch, time, features) and a context (features,)."""
        random = random_state(seed)
        batch, time, features = distinct_sizes(random, 3)
        # With two features, "large logits" fixes one, and a softmax for each is right by chance.
        batch, features = sorted((batch, features))
        hidden, context = normal(random, batch, time, features), normal(random, features)
        equal = np.repeat(hidden[:, :1], time, axis=1)
        return (
            Case("plain", {"hidden": hidden, "context": context}),
            Case("equal", {"hidden": equal, "context": context}),
            Case(
                "large logits",
                {"hidden": _set(hidden, LARGE[1]), "context": _set(context, LARGE[0])},
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors."""
        return {"output": obj(tensor(case.inputs["hidden"]), tensor(case.inputs["context"]))}


class ScaledDotProductAttention(Exercise):
    """softmax(QKᵀ/√d_k)V with a mask; returns the output and the weights."""

    name = "attention.scaled_dot_product_attention"
    lesson = "03-attention"
    section = 4
    axes = {
        "output": ("batch", "heads", "queries", "d_v"),
        "weights": ("batch", "heads", "queries", "keys"),
    }
    input_axes = {"key": ("keys", "d_k"), "value": ("d_v",), "query": ("queries", "d_k")}
    aspects = (
        Aspect("output and weights have the right shapes", 10, ("plain",), has_shapes(axes)),
        Aspect("each row of weights sums to 1", 10, ("plain",), rows_sum_to_one("weights")),
        Aspect("the weights are right", 20, ("plain",), numbers_agree("weights")),
        Aspect("the output is right", 10, ("plain",), numbers_agree("output")),
        Aspect(
            "any leading axes: (batch, heads, time, depth) works too",
            10,
            ("heads",),
            numbers_agree("weights", "output"),
        ),
        Aspect(
            "masked keys get no weight, the others share it",
            20,
            ("padding mask", "query mask"),
            numbers_agree("weights", "output"),
        ),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            10,
            ("padded sample",),
            numbers_agree("weights", "output"),
        ),
        Aspect(
            "large logits stay finite and right",
            10,
            ("large logits",),
            numbers_agree("weights", "output"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Queries (..., T, d_k), keys (..., S, d_k), values (..., S, d_v) and masks (..., T, S)."""
        random = random_state(seed)
        batch, heads, queries = (int(size) for size in random.permutation([2, 3, 4]))
        keys, d_k, d_v = (int(size) for size in random.permutation([5, 7, 11]))
        query = normal(random, batch, queries, d_k)
        key = normal(random, batch, keys, d_k)
        value = normal(random, batch, keys, d_v)
        inputs = {"query": query, "key": key, "value": value, "mask": None}
        by_head = {
            "query": normal(random, batch, heads, queries, d_k),
            "key": normal(random, batch, heads, keys, d_k),
            "value": normal(random, batch, heads, keys, d_v),
            "mask": None,
        }
        lengths = different_lengths(random, batch, keys)
        padding = length_mask(lengths, keys)[:, None, :]
        one_padded = length_mask([0, *lengths[1:]], keys)[:, None, :]
        # Logits far below 0, so that a number that hides is a large one.
        low = {"query": _set(query, LOW), "key": _set(key, -LOW)}
        # One mask for all samples, in which each query may attend to other keys: a causal one.
        causal = length_mask([*range(1, queries + 1)], keys)
        first_output = np.zeros((batch, queries, d_v), bool)
        first_weights = np.zeros((batch, queries, keys), bool)
        first_output[0] = first_weights[0] = True
        return (
            Case("plain", inputs),
            Case("heads", by_head),
            Case("padding mask", inputs | low | {"mask": padding}),
            Case("query mask", inputs | {"mask": causal}),
            Case(
                "padded sample",
                inputs | {"mask": one_padded},
                free={"output": first_output, "weights": first_weights},
            ),
            Case(
                "large logits",
                inputs | {"query": _set(query, LARGE[0]), "key": _set(key, LARGE[1])},
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors and a boolean mask."""
        tensors = {name: tensor(array) for name, array in case.inputs.items()}
        mask = tensors.pop("mask")
        result = obj(*tensors.values()) if mask is None else obj(*tensors.values(), mask=mask)
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise WrongReturn(
                say(
                    "returned {value}; expected the pair (output, weights), in this order",
                    value=describe(result),
                )
            )
        return {"output": result[0], "weights": result[1]}


FIXED_AXES = ("batch", "time")
"""Of a layer that reads sizes which a model does not know yet."""


def _has_open_axes(has_shape: Examine) -> Examine:
    """The output has its shape, and the layer can also be part of a model of any batch and time."""

    def examine(observation: Observation) -> str:
        seen = has_shape(observation)
        if seen:
            return seen
        if "fixed_axes" not in observation.received:
            return absent("fixed_axes")
        if identical(observation.received["fixed_axes"], []):
            return ""
        return say("the layer fails in a model that leaves batch and time open")

    return examine


_PARTS = ("separated", "combined")


def _part_is_right(part: str) -> Examine:
    """A part of the layer is right. A layer that has neither part, since it solves the task in
    another way, is judged by its output instead, which shows where each head looked."""

    def examine(observation: Observation) -> str:
        received = observation.received
        has_parts = not isinstance(received, Failure) and any(one in received for one in _PARTS)
        return numbers_agree(part if has_parts else "output")(observation)

    return examine


_WITHOUT_BIAS = ("query_linear", "key_linear", "value_linear")


def _has_bias(linear: Any) -> bool:
    return getattr(linear, "bias", None) is not None


def _has_no_bias(observation: Observation) -> str:
    """None of the three projections has learned numbers beside its kernel."""
    if isinstance(observation.received, Failure):
        return str(observation.received)
    biases = observation.received.get("biases")
    if not isinstance(biases, list):
        return absent("biases")
    return say("{names}: there is a bias", names=", ".join(map(str, biases))) if biases else ""


class MultiHeadSelfAttention(Exercise):
    """A layer: project, attend in each head, concatenate, project."""

    name = "attention.multi_head_self_attention"
    lesson = "03-attention"
    section = 5
    builds = True
    axes = {
        "output": ("batch", "time", "hidden_size"),
        "separated": ("batch", "heads", "time", "depth"),
        "combined": ("batch", "time", "hidden_size"),
        "biases": (),
        "fixed_axes": (),
    }
    input_axes = {"inputs": ("batch", "time", "hidden_size")}
    aspects = (
        Aspect(
            "output has the shape (batch, time, hidden_size), batch and time of any size",
            10,
            ("plain",),
            _has_open_axes(has_shapes({"output": axes["output"]})),
        ),
        Aspect(
            "head h sees columns h·depth to (h+1)·depth",
            10,
            ("plain",),
            _part_is_right("separated"),
        ),
        Aspect(
            "combining sets the heads side by side, the first one first",
            10,
            ("plain",),
            _part_is_right("combined"),
        ),
        Aspect(
            "queries, keys and values are projected without a bias", 5, ("plain",), _has_no_bias
        ),
        Aspect("the numbers are right", 25, ("plain",), numbers_agree("output")),
        Aspect("padded tokens are not attended to", 20, ("padding mask",), numbers_agree("output")),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            10,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect(
            "large logits stay finite and right", 10, ("large logits",), numbers_agree("output")
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, hidden_size), four kernels, padding masks (batch, time), and what
        heads could give (batch, heads, time, depth)."""
        random = random_state(seed)
        batch, heads = (int(size) for size in random.permutation([2, 3, 4])[:2])
        time, depth = (int(size) for size in random.permutation([5, 7]))
        size = heads * depth
        inputs = {"inputs": normal(random, batch, time, size), "num_heads": heads, "mask": None}
        for name in ("query", "key", "value", "output"):
            # Entries of variance 1/size keep the projections at the scale of the inputs.
            inputs[f"{name}_kernel"] = normal(random, size, size) / np.float32(np.sqrt(size))
        lengths = different_lengths(random, batch, time)
        padding = length_mask(lengths, time)
        one_padded = length_mask([0, *lengths[1:]], time)
        inputs["by_head"] = normal(random, batch, heads, time, depth)
        return (
            Case("plain", inputs),
            Case("padding mask", inputs | {"mask": padding}, _padded_queries(padding, size)),
            Case("padded sample", inputs | {"mask": one_padded}, _padded_queries(one_padded, size)),
            Case("large logits", inputs | _large_projections(inputs, depth)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's kernels (biases 0), call it.

        Combining is tried on heads of its own, so that a mistake in separating costs it nothing.
        """
        inputs = tensor(case.inputs["inputs"])
        layer = obj(inputs.shape[-1], case.inputs["num_heads"])
        layer(inputs)
        weights.assign(
            layer,
            {
                f"{role}_linear.kernel": case.inputs[f"{role}_kernel"]
                for role in ("query", "key", "value", "output")
            },
        )
        mask = tensor(case.inputs["mask"])
        outputs = {
            "output": layer(inputs) if mask is None else layer(inputs, mask=mask),
            "biases": [name for name in _WITHOUT_BIAS if _has_bias(getattr(layer, name, None))],
            "fixed_axes": _fixed_axes(layer, inputs.shape[-1]),
        }
        # A layer that solves the task without these two methods is judged by its output alone.
        if hasattr(layer, "separate_heads") and hasattr(layer, "combine_heads"):
            outputs["separated"] = layer.separate_heads(inputs)
            # Which fails where the two agree on a layout of their own.
            with suppress(Exception):
                outputs["combined"] = layer.combine_heads(tensor(case.inputs["by_head"]))
            outputs.setdefault("combined", None)
        return outputs


def _fixed_axes(layer: Any, size: int) -> list[str]:
    """The axes that a model cannot leave open around the layer."""
    import keras

    try:
        layer(keras.Input((None, size)))
    except Exception:
        return list(FIXED_AXES)
    return []


def _set(array: np.ndarray, feature: float) -> np.ndarray:
    """A copy whose first feature is the same everywhere."""
    changed = array.copy()
    changed[..., 0] = feature
    return changed


def _large_projections(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """Inputs and kernels that give the first feature of every head's queries and keys one value."""
    changed = {"inputs": _set(inputs["inputs"], 1.0)}
    for role, feature in zip(("query", "key"), LARGE, strict=True):
        kernel = inputs[f"{role}_kernel"].copy()
        kernel[:, ::depth] = 0.0
        kernel[0, ::depth] = feature
        changed[f"{role}_kernel"] = kernel
    return changed


def _padded_queries(mask: np.ndarray, size: int) -> dict[str, np.ndarray]:
    """Where right answers differ: what a padded token's own output is, nobody reads."""
    return {"output": np.repeat(~mask[:, :, None], size, axis=2)}


EXERCISES = (AverageAttention(), ScaledDotProductAttention(), MultiHeadSelfAttention())
