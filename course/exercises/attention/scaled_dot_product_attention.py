"""What ``attention.scaled_dot_product_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.attention.common import LARGE, set_first
from course.exercises.masks import different_lengths, length_mask
from course.exercises.weights import tensor
from selfcheck.aspects import describe, has_shapes, numbers_agree, rows_sum_to_one
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.texts import say

LOW = 12.0
"""Likewise, so that all logits are lower by 144 before scaling."""


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
            "large logits give finite, correct results",
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
        low = {"query": set_first(query, LOW), "key": set_first(key, -LOW)}
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
                inputs
                | {
                    "query": set_first(query, LARGE[0]),
                    "key": set_first(key, LARGE[1]),
                },
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
                    "returned {value}; expected the pair (output, weights), in that order",
                    value=describe(result),
                )
            )
        return {"output": result[0], "weights": result[1]}


EXERCISE = ScaledDotProductAttention()
