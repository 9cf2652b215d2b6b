"""What ``conv1d.conv1d`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import normal, random_state

BATCH, FEATURES, FILTERS = 2, 3, 5
"""Texts, features of a word and kernels of most cases: no two axes have the same size."""


class Conv1D(Exercise):
    """A convolution over words: a sum of products at every step."""

    name = "conv1d.conv1d"
    lesson = "02-conv1d-baseline"
    section = 3
    axes = {"output": ("batch", "steps", "filters")}
    input_axes = {"x": ("batch", "time", "features"), "kernel": ("size", "features", "filters")}
    aspects = (
        Aspect(
            "output has the shape (batch, steps, filters)",
            10,
            ("plain",),
            has_shapes({"output": axes["output"]}),
        ),
        Aspect(
            "a text of zeros gives the bias at every step", 10, ("zeros",), numbers_agree("output")
        ),
        Aspect(
            "the numbers are right without strides: windows move word by word",
            30,
            ("no strides", "even kernel"),
            numbers_agree("output"),
        ),
        Aspect(
            "with strides, windows move several words at a time",
            25,
            ("plain", "wide strides"),
            numbers_agree("output"),
        ),
        Aspect("a last window that just fits counts", 10, ("just fits",), numbers_agree("output")),
        Aspect(
            "a kernel as wide as the text gives one step",
            10,
            ("as wide as the text",),
            numbers_agree("output"),
        ),
        Aspect(
            "a kernel of one word looks at each word alone",
            5,
            ("one word",),
            numbers_agree("output"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Texts (batch, time, features), kernels (size, features, filters), and how far to move."""
        random = random_state(seed)

        def inputs(
            words: int, size: int, batch: int = BATCH, features: int = FEATURES, **strides: int
        ) -> dict[str, Any]:
            bias = normal(random, FILTERS)
            bias[0] -= 50  # so that some sums are below 0 in any case
            return {
                "x": normal(random, batch, words, features),
                "kernel": normal(random, size, features, FILTERS),
                "bias": bias,
                **strides,
            }

        zeros = inputs(9, 4, strides=2)
        zeros["x"] = np.zeros_like(zeros["x"])
        return (
            # Two words are left over; a third one would make a window.
            Case("plain", inputs(15, 4, strides=3)),
            Case("zeros", zeros),
            Case("no strides", inputs(8, 3)),
            Case("even kernel", inputs(7, 4, features=1)),
            Case("wide strides", inputs(15, 2, strides=4)),
            Case("just fits", inputs(12, 6, strides=2)),
            Case("as wide as the text", inputs(6, 6, batch=1, strides=2)),
            Case("one word", inputs(7, 1)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors, with strides by name where the case has them."""
        given = dict(case.inputs)
        strides = {"strides": given.pop("strides")} if "strides" in given else {}
        return {"output": obj(*map(tensor, given.values()), **strides)}


EXERCISE = Conv1D()
