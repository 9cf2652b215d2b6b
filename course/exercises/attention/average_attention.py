"""What ``attention.average_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.attention.common import set_first
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import normal, random_state

_LARGE = (3000.0, 1.0)
"""Factors of scores of about 900, whose exponentials overflow also in float64."""


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
        # Many features: the root of three, cut to a whole number, scales nothing; with two,
        # "large logits" fixes one, and a softmax for each is right by chance. Many samples and
        # tokens: a shape has three numbers, which would fit an axis of that size.
        batch, (time, features) = 5, ((7, 13), (11, 14))[random.randint(2)]
        hidden, context = normal(random, batch, time, features), normal(random, features)
        # One sample: whatever squeezes axes of size 1 away shows here.
        equal = np.repeat(hidden[:1, :1], time, axis=1)
        # Exponentials that overflow in one sample and vanish in the next, whichever is first.
        signs = np.where(np.arange(batch) % 2, -1, 1) * (1 if random.randint(2) else -1)
        large = set_first(hidden, (_LARGE[1] * signs)[:, None])
        # In the last sample from token to token.
        large[-1, ::2, 0] *= -1
        # Here nothing is padding: zeros have the score 0, which is above all others of a sample.
        large[np.argmin(signs), 1] = 0
        return (
            Case("plain", {"hidden": hidden, "context": context}),
            Case("equal", {"hidden": equal, "context": context}),
            Case("large logits", {"hidden": large, "context": set_first(context, _LARGE[0])}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors."""
        return {"output": obj(tensor(case.inputs["hidden"]), tensor(case.inputs["context"]))}


EXERCISE = AverageAttention()
