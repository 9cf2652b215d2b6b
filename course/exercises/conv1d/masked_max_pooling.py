"""What ``conv1d.masked_max_pooling`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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


def _some(holds: Callable[[np.ndarray, np.ndarray], Any]) -> Callable[[Sequence[Case]], bool]:
    """Whether something holds of a case's numbers and mask."""
    return lambda cases: any(holds(case.inputs["x"], case.inputs["mask"]) for case in cases)


def _largest(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return np.where(mask[..., None], x, -np.inf).max(axis=1)


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
    input_classes = {
        "no padding": _some(lambda x, mask: mask.all() and mask.shape[1] > 1),
        "masked numbers larger than all others": _some(
            lambda x, mask: not mask.all() and (_largest(x, ~mask) > _largest(x, mask)).all()
        ),
        "a largest number from 0 to 1, wherever a mask is True and False": lambda cases: (
            len(cases) > 1
            and all(
                ((largest > 0) & (largest < 1)).any() or largest.min() < 0
                for largest in (
                    _largest(case.inputs["x"], case.inputs["mask"])[case.inputs["mask"].any(axis=1)]
                    for case in cases
                    if not case.inputs["mask"].all() and case.inputs["mask"].any()
                )
            )
        ),
        "masked numbers more than 1,000 above all others": _some(
            lambda x, mask: (_largest(x, ~mask) > _largest(x, mask) + 1000)[1:].any()
        ),
        "numbers below 0 only, near the lowest, with padding": _some(
            lambda x, mask: (_largest(x, mask) < 0.8 * LOWEST)[~mask.all(axis=1)].any()
        ),
        "numbers below 0 only, near 0, with padding": _some(
            lambda x, mask: ((_largest(x, mask) < 0) & (_largest(x, mask) > 0.01 * LOWEST))[
                ~mask.all(axis=1)
            ].any()
        ),
        "numbers just above the lowest only, with padding": _some(
            lambda x, mask: (_largest(x, mask) < LOWEST + 1)[mask.any(axis=1)].any()
        ),
        "padding after the steps": _some(lambda x, mask: (mask[:, :-1] & ~mask[:, 1:]).any()),
        "padding before the steps": _some(lambda x, mask: (mask[:, 1:] & ~mask[:, :-1]).any()),
        "padding between the steps": _some(
            lambda x, mask: (np.diff(mask.astype(int), axis=1) > 0).sum(axis=1).max() > 1
        ),
        "a single step": _some(lambda x, mask: x.shape[1] == 1),
        "a text of padding beside others": _some(
            lambda x, mask: mask.any() and not mask.any(axis=1).all()
        ),
        "a text of padding beside others, in a model": lambda cases: any(
            case.inputs["symbolic"] and len({*case.inputs["mask"].any(axis=1)}) > 1
            for case in cases
        ),
        "padding alone": _some(lambda x, mask: not mask.any()),
        "a batch of one": _some(lambda x, mask: len(x) == 1),
        "different numbers of steps": _some(lambda x, mask: len({*mask.sum(axis=1)}) == len(mask)),
    }

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
