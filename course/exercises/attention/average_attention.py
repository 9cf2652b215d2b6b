"""What ``attention.average_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.attention.common import LARGE, set_first
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.drawing import distinct_sizes, normal, random_state
from selfcheck.exercise import Aspect, Case, Exercise


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
            "large scores give finite, correct results",
            20,
            ("large logits",),
            numbers_agree("output"),
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
                {
                    "hidden": set_first(hidden, LARGE[1]),
                    "context": set_first(context, LARGE[0]),
                },
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors."""
        return {"output": obj(tensor(case.inputs["hidden"]), tensor(case.inputs["context"]))}


EXERCISE = AverageAttention()
