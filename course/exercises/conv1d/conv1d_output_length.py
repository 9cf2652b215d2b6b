"""What ``conv1d.conv1d_output_length`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.conv1d.common import a_number, type_name
from selfcheck.aspects import equals
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise


class Conv1DOutputLength(Exercise):
    """How many steps a convolution leaves."""

    name = "conv1d.conv1d_output_length"
    lesson = "02-conv1d-baseline"
    section = 4
    axes = {"steps": (), "type": ()}
    aspects = (
        Aspect("incomplete windows are left out", 40, ("plain",), a_number("steps")),
        Aspect("a last window that just fits is counted", 10, ("just fits",), a_number("steps")),
        Aspect("stride 1 is right", 10, ("stride 1",), a_number("steps")),
        Aspect(
            "a text as long as the kernel gives one step",
            10,
            ("as long as the kernel",),
            a_number("steps"),
        ),
        Aspect(
            "a text shorter than the kernel gives no steps",
            20,
            ("one too short", "much too short"),
            a_number("steps"),
        ),
        Aspect("the result is an int", 10, ("plain",), equals("type")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """A text's length, the kernel's size and its strides."""
        random = random_state(seed)
        strides = int(random.randint(4, 7))
        # At least two strides; with a smaller kernel, length // strides can be the right answer.
        kernel_size = int(random.randint(13, 31))
        fits = kernel_size + int(random.randint(5 * strides, 19 * strides))
        fits -= (fits - kernel_size) % strides
        # Less than strides - 1: one word more would complete a window for those off by one.
        left_over = int(random.randint(1, strides - 1))
        inputs = {
            "plain": (fits + left_over, kernel_size, strides),
            "stride 1": (fits, kernel_size, 1),
            "just fits": (fits, kernel_size, strides),
            "as long as the kernel": (kernel_size, kernel_size, strides),
            "one too short": (kernel_size - 1, kernel_size, strides),
            "much too short": (kernel_size - strides - 2, kernel_size, strides),
        }
        return tuple(
            Case(name, {"length": length, "kernel_size": kernel, "strides": stride})
            for name, (length, kernel, stride) in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on ints."""
        steps = obj(case.inputs["length"], case.inputs["kernel_size"], case.inputs["strides"])
        return {"steps": steps, "type": type_name(steps)}


EXERCISE = Conv1DOutputLength()
