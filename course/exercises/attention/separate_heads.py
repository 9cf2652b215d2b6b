"""What ``attention.separate_heads`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.attention.open_axes import fixed_axes, has_open_axes
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import normal, random_state

SIZES = (3, 4, 7, 5)
"""Batch, heads, time, depth: all different, so that axes that are confused show."""
OTHER_HEADS, OTHER_DEPTH = 2, 96
"""Of one sample with as many tokens. No number of heads fits everywhere; the usual numbers of
features fit here and are wrong."""


class SeparateHeads(Exercise):
    """Give each head its columns of every token."""

    name = "attention.separate_heads"
    lesson = "03-attention"
    section = 5
    axes = {"separated": ("batch", "heads", "time", "depth"), "fixed_axes": ()}
    input_axes = {"x": ("batch", "time", "d_model")}
    aspects = (
        Aspect(
            "the shape is (batch, heads, time, depth), with batch and time of any size",
            30,
            ("plain",),
            has_open_axes(has_shapes({"separated": axes["separated"]})),
        ),
        Aspect("one head gets all columns", 20, ("one head",), numbers_agree("separated")),
        Aspect(
            "head 1 sees the first columns of every token, head 2 the next ones, and so on",
            50,
            ("plain", "one sample"),
            numbers_agree("separated"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Tokens (batch, time, d_model) and a number of heads."""
        random = random_state(seed)
        batch, heads, time, depth = SIZES
        x = normal(random, batch, time, heads * depth)
        one = normal(random, 1, OTHER_HEADS, OTHER_HEADS * OTHER_DEPTH)
        return (
            Case("plain", {"x": x, "num_heads": heads, "opens": True}),
            Case("one head", {"x": x, "num_heads": 1, "opens": False}),
            Case("one sample", {"x": one, "num_heads": OTHER_HEADS, "opens": False}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a float32 tensor, and in a model that leaves axes open."""
        x, heads = tensor(case.inputs["x"]), case.inputs["num_heads"]
        outputs: dict[str, Any] = {"separated": obj(x, heads)}
        if case.inputs["opens"]:
            outputs["fixed_axes"] = fixed_axes(lambda x: obj(x, heads), None, x.shape[-1])
        return outputs


EXERCISE = SeparateHeads()
