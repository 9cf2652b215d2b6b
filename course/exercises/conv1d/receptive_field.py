"""What ``conv1d.receptive_field`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.exercises.conv1d.common import a_number, type_name
from selfcheck.aspects import equals
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state

_CHANGES = ("unchanged", "changed")


def _unchanged(observation: Observation) -> str:
    """The number of words is right, and both lists are as they were."""
    return a_number("words")(observation) or equals("lists", ours=_CHANGES)(observation)


class ReceptiveField(Exercise):
    """How many words the field of a step of the last of several convolutions spans."""

    name = "conv1d.receptive_field"
    lesson = "02-conv1d-baseline"
    section = 4
    axes = {"words": (), "type": (), "lists": ()}
    translatable_outputs = _CHANGES
    aspects = (
        Aspect(
            "one layer sees as many words as its kernel is wide",
            15,
            ("one layer",),
            a_number("words"),
        ),
        Aspect("layers that move word by word", 15, ("word by word",), a_number("words")),
        Aspect(
            "the first layer's strides spread what the second one sees",
            25,
            ("two layers", "strides wider than the kernel"),
            a_number("words"),
        ),
        Aspect(
            "the strides of all layers below count",
            25,
            ("three layers", "five layers"),
            a_number("words"),
        ),
        Aspect(
            "a kernel of one word sees nothing new", 5, ("kernels of one word",), a_number("words")
        ),
        Aspect("without any layer, a step is a word", 5, ("no layers",), a_number("words")),
        Aspect("the result is an int", 5, ("two layers",), equals("type")),
        Aspect(
            "the number is right, and the lists are not changed", 5, ("three layers",), _unchanged
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Kernel sizes and strides, from the first layer to the last."""
        random = random_state(seed)

        def size(smallest: int) -> int:
            """More by an even number: kernels of even and of odd size stay where they are."""
            return smallest + 2 * int(random.randint(12))

        # Some begin so large that no sum with other strides is the same.
        layers = {
            "one layer": ([size(7)], [size(4)]),
            "word by word": ([size(3), size(7), 4], [1, 1, 1]),
            "two layers": ([size(16), size(5)], [3, 2]),
            "strides wider than the kernel": ([2, size(4)], [size(5), 3]),
            "three layers": ([size(20), size(9), 5], [3, 2, 5]),
            "five layers": ([size(3), 8, 7, size(4), 5], [2, 3, 1, 4, 2]),
            "kernels of one word": ([1, size(5), 1], [size(3), 4, 2]),
            "no layers": ([], []),
        }
        return tuple(
            Case(name, {"kernel_sizes": kernels, "strides": strides})
            for name, (kernels, strides) in layers.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on copies of the lists."""
        given = [list(numbers) for numbers in case.inputs.values()]
        words = obj(*given)
        after = _CHANGES[given != list(case.inputs.values())]
        return {"words": words, "type": type_name(words), "lists": after}


EXERCISE = ReceptiveField()
