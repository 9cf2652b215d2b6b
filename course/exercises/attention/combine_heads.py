"""What ``attention.combine_heads`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.attention.open_axes import fixed_axes, has_open_axes
from course.exercises.attention.separate_heads import OTHER_HEADS, SIZES
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import normal, random_state


class CombineHeads(Exercise):
    """Put the heads of every token side by side again."""

    name = "attention.combine_heads"
    lesson = "03-attention"
    section = 5
    axes = {"combined": ("batch", "time", "d_model"), "fixed_axes": ()}
    input_axes = {"x": ("batch", "heads", "time", "depth")}
    aspects = (
        Aspect(
            "the shape is (batch, time, d_model), with batch and time of any size",
            30,
            ("plain",),
            has_open_axes(has_shapes({"combined": axes["combined"]})),
        ),
        Aspect("one head comes back as it was", 20, ("one head",), numbers_agree("combined")),
        Aspect(
            "the heads are side by side, first head first",
            50,
            ("plain", "one sample"),
            numbers_agree("combined"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """What heads could give, (batch, heads, time, depth)."""
        random = random_state(seed)
        batch, heads, time, depth = SIZES
        one = normal(random, 1, OTHER_HEADS, OTHER_HEADS, depth)
        return (
            Case("plain", {"x": normal(random, batch, heads, time, depth), "opens": True}),
            Case("one head", {"x": normal(random, batch, 1, time, depth), "opens": False}),
            Case("one sample", {"x": one, "opens": False}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on a float32 tensor, and in a model that leaves axes open."""
        x = tensor(case.inputs["x"])
        outputs: dict[str, Any] = {"combined": obj(x)}
        if case.inputs["opens"]:
            outputs["fixed_axes"] = fixed_axes(obj, x.shape[1], None, x.shape[3])
        return outputs


EXERCISE = CombineHeads()
