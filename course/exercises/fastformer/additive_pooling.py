"""What ``fastformer.additive_pooling`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.masks import different_lengths, length_mask
from course.exercises.weights import tensor
from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.drawing import normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.texts import say

# --- additive pooling ----------------------------------------------------------------------------

OFFSET = np.float32(200)
"""Added to all scores it changes no weight, but exp() overflows float32 unless it is stable."""


class AdditivePooling(Exercise):
    """A weighted sum over time; the weights are a softmax of given scores."""

    name = "fastformer.additive_pooling"
    lesson = "06-fastformer"
    section = 2
    axes = {"output": ("batch", "heads", "features")}
    input_axes = {"x": ("time", "features")}
    aspects = (
        Aspect(
            "output has the shape (batch, features): the sum runs over time",
            10,
            ("plain",),
            has_shapes({"output": ("batch", "features")}),
        ),
        Aspect(
            "identical tokens come back unchanged",
            20,
            ("equal tokens",),
            numbers_agree("output"),
        ),
        Aspect("the numbers are right", 20, ("plain",), numbers_agree("output")),
        Aspect(
            "any leading axes: (batch, heads, time) works too", 10, ("heads",), has_shapes(axes)
        ),
        Aspect("each head has its own weights", 10, ("heads",), numbers_agree("output")),
        Aspect(
            "masked tokens get no weight, the others share it",
            15,
            ("padding mask",),
            numbers_agree("output"),
        ),
        Aspect(
            "a mask (batch, 1, time) applies to all heads",
            5,
            ("one mask for all heads",),
            numbers_agree("output"),
        ),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            5,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect(
            "large scores give finite, correct results",
            5,
            ("large scores",),
            numbers_agree("output"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens (..., time, features), scores (..., time) and masks that broadcast to these."""
        random = random_state(seed)
        batch, heads = (int(size) for size in random.permutation([2, 3]))
        time, features = (int(size) for size in random.permutation([5, 7]))
        x, scores = normal(random, batch, time, features), normal(random, batch, time)
        inputs = {"x": x, "scores": scores, "mask": None}
        by_head = {
            "x": normal(random, batch, heads, time, features),
            "scores": normal(random, batch, heads, time),
            "mask": None,
        }
        lengths = different_lengths(random, batch, time)
        padding = length_mask(lengths, time)
        one_padded = length_mask([0, *lengths[1:]], time)
        first = np.zeros((batch, features), bool)
        first[0] = True
        return (
            Case("plain", inputs),
            Case("equal tokens", inputs | {"x": np.repeat(x[:, :1], time, axis=1)}),
            Case("heads", by_head),
            Case("padding mask", inputs | {"mask": padding}),
            Case("one mask for all heads", by_head | {"mask": padding[:, None, :]}),
            Case("padded sample", inputs | {"mask": one_padded}, free={"output": first}),
            Case("large scores", inputs | {"scores": scores + OFFSET}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors and a boolean mask."""
        tensors = {name: tensor(array) for name, array in case.inputs.items()}
        mask = tensors.pop("mask")
        output = obj(*tensors.values()) if mask is None else obj(*tensors.values(), mask=mask)
        if isinstance(output, tuple):
            value = describe(output)
            raise WrongReturn(say("returned {value}; expected only the pooled tokens", value=value))
        return {"output": output}


EXERCISE = AdditivePooling()
