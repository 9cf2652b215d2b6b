"""What ``conv1d.masked_max_pooling`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.masks import length_mask
from course.exercises.weights import tensor
from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

LOWEST = -1000
"""No number to pool is lower than that."""

STEPS, FEATURES = 7, 4

LENGTHS = [6, 2, 4]
"""Steps of each text that aren't padding."""


class MaskedMaxPooling(Exercise):
    """The largest number over time, of the steps that aren't masked."""

    name = "conv1d.masked_max_pooling"
    lesson = "02-conv1d-baseline"
    section = 5
    axes = {"output": ("batch", "features")}
    input_axes = {"x": ("batch", "steps", "features")}
    aspects = (
        Aspect(
            "output has the shape (batch, features)",
            10,
            ("plain",),
            has_shapes({"output": axes["output"]}),
        ),
        Aspect(
            "without padding, it's the largest number over time",
            15,
            ("no padding", "one step"),
            numbers_agree("output"),
        ),
        Aspect("a masked step can't win", 25, ("plain",), numbers_agree("output")),
        Aspect(
            "a masked step can't win if all other numbers are negative",
            20,
            ("all negative",),
            numbers_agree("output"),
        ),
        Aspect("the mask may be True anywhere", 10, ("gaps",), numbers_agree("output")),
        Aspect(
            "a text without any step gives zeros, and the others stay right",
            15,
            ("nothing to pool", "nothing at all"),
            numbers_agree("output"),
        ),
        Aspect("it works in a Keras model", 5, ("in a model",), numbers_agree("output")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Numbers (batch, steps, features), and a mask (batch, steps)."""
        random = random_state(seed)
        padding = length_mask(LENGTHS, STEPS)

        def positive() -> np.ndarray:
            return np.abs(normal(random, len(LENGTHS), STEPS, FEATURES))

        def with_padding_above(numbers: np.ndarray, mask: np.ndarray) -> np.ndarray:
            numbers[..., 0] /= 10  # less than 1, which may be what takes the place of padding
            return np.where(mask[..., None], numbers, np.float32(4) + positive())

        gaps = np.array([[0, 1, 0, 1, 0, 1, 0], [1, 0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 0, 1, 0]], bool)
        later = np.float32(4) * np.arange(STEPS)[:, None]
        signs = positive()
        signs[..., 0] = np.float32(-2) - signs[..., 0]
        low = np.float32(0.9 * LOWEST) + positive()
        # The padding of one text is lower than its numbers; that of the others is higher, by more
        # than could be taken from it to be on the safe side.
        low = np.where(padding[..., None], low, np.float32(900) + positive())
        low[0] = np.where(padding[0, :, None], low[0], low[0] - np.float32(1850))
        # One feature isn't far below 0: to lose what is far below isn't to lose all below 0.
        low[..., 0] = np.where(padding, np.float32(-2) - positive()[..., 0], low[..., 0])
        # And another one is as low as can be: that alone doesn't make it padding.
        low[1, :, 1] = np.where(padding[1], np.float32(LOWEST + 0.5), low[1, :, 1])
        one_padded = padding & (np.arange(len(padding)) != 1)[:, None]
        cases = {
            "plain": (with_padding_above(positive(), padding), padding),
            "no padding": (signs, np.ones_like(padding)),
            "one step": (-positive()[:1, :1], np.ones((1, 1), bool)),
            "all negative": (low, padding),
            # The later a step that isn't pooled, the higher: to pool some of them is told from all.
            "gaps": (with_padding_above(positive(), gaps) + later * ~gaps[..., None], gaps),
            "nothing to pool": (with_padding_above(positive(), one_padded), one_padded),
            "nothing at all": (positive()[:1], np.zeros((1, STEPS), bool)),
            "in a model": (with_padding_above(positive(), one_padded), one_padded),
        }
        return tuple(
            Case(name, {"x": x.astype(np.float32), "mask": mask, "symbolic": name == "in a model"})
            for name, (x, mask) in cases.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on tensors, or build a model of it that takes any number of steps."""
        x, mask = tensor(case.inputs["x"]), tensor(case.inputs["mask"])
        if case.inputs["symbolic"]:
            import keras

            inputs = keras.Input((None, FEATURES)), keras.Input((None,), dtype="bool")
            obj = keras.Model(inputs, obj(*inputs))
            return {"output": obj((x, mask))}
        output = obj(x, mask)
        if isinstance(output, tuple):
            value = describe(output)
            raise WrongReturn(
                say("returned {value}; expected only the pooled numbers", value=value)
            )
        return {"output": output}


EXERCISE = MaskedMaxPooling()
