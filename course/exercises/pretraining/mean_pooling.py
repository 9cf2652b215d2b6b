"""What ``pretraining.mean_pooling`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.masks import different_lengths, length_mask
from course.exercises.pretraining.common import one_output
from course.exercises.weights import tensor
from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import normal, random_state


def output_name(dimensions: int) -> str:
    """What the output is called, by how many axes the states have: its own axes differ, too."""
    return {2: "vector", 4: "vectors"}.get(dimensions, "pooled")


def _any_leading_axes(observation: Observation) -> str:
    name = output_name(observation.case.inputs["states"].ndim)
    shape = has_shapes({name: MeanPooling.axes[name]})(observation)
    return shape or numbers_agree(name)(observation)


class MeanPooling(Exercise):
    """The mean of the states of a text's own tokens."""

    name = "pretraining.mean_pooling"
    lesson = "07-pretraining"
    section = 5
    axes = {
        "pooled": ("batch", "features"),
        "vector": ("features",),
        "vectors": ("group", "batch", "features"),
    }
    input_axes = {"states": ("time", "features")}
    aspects = (
        Aspect("pooled has the shape (batch, features)", 10, ("no padding",),
               has_shapes({"pooled": ("batch", "features")})),
        Aspect("without padding it's the mean over time", 25, ("no padding",),
               numbers_agree("pooled")),
        Aspect("padding adds nothing and isn't counted", 35, ("padding",),
               numbers_agree("pooled")),
        Aspect("any leading axes, or none", 15, ("one text", "four axes"), _any_leading_axes),
        Aspect("a fully padded sample stays finite and the others stay right", 15,
               ("padded sample",), numbers_agree("pooled")),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """States (..., time, features) and a mask (..., time)."""
        random = random_state(seed)
        batch = 3
        time, features = (int(size) for size in random.permutation([5, 7]))
        states = normal(random, batch, time, features)
        states[:, 0, 0] = states[:, -1, 1] = 0
        lengths = different_lengths(random, batch, time)
        lengths[0] = 1
        padding = length_mask(lengths, time)
        padding[1] = padding[1][::-1]
        # Padding holds large numbers, some of them negative: none may get into a mean.
        loud = np.where(padding[..., None], states, 2048 * np.sign(states))
        one_padded = length_mask([0, *lengths[1:]], time)
        free = np.zeros((batch, features), bool)
        free[0] = True
        # An axis of size 1 stays.
        many = np.stack([states[1:2], normal(random, 1, time, features)])
        return (
            Case("no padding", {"states": states, "mask": np.ones_like(padding)}),
            Case("padding", {"states": loud, "mask": padding}),
            Case("one text", {"states": -0.1 - np.abs(states[1]), "mask": padding[1]}),
            Case("four axes", {"states": many, "mask": np.stack([padding[1:2], padding[2:]])}),
            Case("padded sample", {"states": states, "mask": one_padded}, free={"pooled": free}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 states and a boolean mask."""
        output = one_output(obj(*map(tensor, case.inputs.values())))
        return {output_name(case.inputs["states"].ndim): output}


EXERCISE = MeanPooling()
