"""What ``conv1d.conv1d_output_length`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.conv1d.common import a_number, type_name
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise
from selfcheck.sampling import random_state


class Conv1DOutputLength(Exercise):
    """How many steps a convolution leaves."""

    name = "conv1d.conv1d_output_length"
    lesson = "02-conv1d-baseline"
    section = 4
    axes = {"steps": (), "type": ()}
    aspects = (
        Aspect(
            "incomplete windows are left out",
            40,
            ("plain", "one word over", "strides wider than the kernel", "a smaller remainder"),
            a_number("steps"),
        ),
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
            ("one too short", "much too short", "no words"),
            a_number("steps"),
        ),
        Aspect("the result is an int", 10, ("plain", "one too short"), equals("type")),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """A text's length, the kernel's size and its strides."""
        random = random_state(seed)
        strides = int(random.randint(5, 8))
        # More than two strides; with a smaller kernel, length // strides can be the right answer.
        # With this remainder, dividing length and kernel one by one is wrong in
        # the same cases whatever the seed.
        sizes = [k for k in range(2 * strides + 4, 32, 2) if 2 <= k % strides < strides - 1]
        kernel_size = int(random.choice(sizes))
        # So long that kernel and strides the wrong way round give more steps than what a division
        # by the strides may leave.
        fits = kernel_size * (strides + 1) + int(random.randint(strides, 200 * strides))
        fits -= (fits - kernel_size) % strides
        # More than half a stride, and less than strides - 1: one word more would complete a window
        # for those off by one.
        left_over = strides - 2
        # Length and kernel aren't divided by the strides one by one.
        smaller_remainder = strides * (kernel_size // strides + 1) - 1
        # Two words more or less make no difference to the last of these.
        wide, count = int(random.randint(4, 7)), int(random.randint(9, 100))
        inputs = {
            "plain": (fits + left_over, kernel_size, strides),
            "one word over": (fits + 1, kernel_size, strides),
            "strides wider than the kernel": (1 + count * wide + 1, 1, wide),
            "a smaller remainder": (
                smaller_remainder + 3 * strides + 2,
                smaller_remainder,
                strides,
            ),
            "stride 1": (fits, kernel_size + 1, 1),
            "just fits": (fits, kernel_size, strides),
            "as long as the kernel": (kernel_size, kernel_size, strides),
            "one too short": (kernel_size - 1, kernel_size, strides),
            "much too short": (kernel_size - strides - 2, kernel_size, strides),
            "no words": (0, kernel_size, strides),
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
