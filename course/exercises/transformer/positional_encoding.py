"""What ``transformer.positional_encoding`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.drawing import random_state
from selfcheck.exercise import Aspect, Case, Exercise

_MANY = 10_000
"""Positions: more than tables that are made once usually have."""


def shown(encoding: Any, length: int) -> dict[str, Any]:
    """What is judged of an answer: all of it; of very many positions, how many and the last two.

    Example:
        >>> shown(np.eye(3)[:, :2], 20_000)["positions"].item()
        3.0
    """
    if length <= _MANY:
        return {"encoding": encoding}
    axes = np.shape(encoding)
    count = {"positions": np.array(float(axes[0] if axes else 0))}
    return count | ({"last": encoding[-2:]} if axes else {})


class PositionalEncoding(Exercise):
    """Sines and cosines of the position, interleaved."""

    name = "transformer.positional_encoding"
    lesson = "04-transformer-encoder"
    section = 2
    axes = {"encoding": ("length", "depth"), "positions": (), "last": ("rows", "depth")}
    aspects = (
        Aspect("encoding has the shape (length, depth)", 10, ("plain",),
               has_shapes({"encoding": axes["encoding"]})),
        Aspect("position 0 is 0, 1, 0, 1, ...", 20, ("one position",), numbers_agree("encoding")),
        Aspect(
            "two features are the sine and cosine of the position",
            20,
            ("two features",),
            numbers_agree("encoding"),
        ),
        Aspect("all frequencies are right", 40, ("plain", "deep"), numbers_agree("encoding")),
        Aspect(
            "thousands of positions work, too",
            10,
            ("many positions",),
            numbers_agree("positions", "last"),
        ),
    )  # fmt: skip

    input_classes = {
        "one position": lambda cases: any(case.inputs["length"] == 1 for case in cases),
        "two features": lambda cases: any(case.inputs["depth"] == 2 for case in cases),
        "more positions than features": lambda cases: any(
            case.inputs["length"] > case.inputs["depth"] > 2 for case in cases
        ),
        "more features than positions": lambda cases: any(
            1 < case.inputs["length"] < case.inputs["depth"] for case in cases
        ),
        "more positions than a table that is made once": lambda cases: any(
            case.inputs["length"] > _MANY for case in cases
        ),
        "several frequencies, above and below the logarithm of 10000": lambda cases: (
            any(2 < case.inputs["depth"] < np.log(10000) for case in cases)
            and any(case.inputs["depth"] > np.log(10000) for case in cases)
        ),
    }

    def cases(self, seed: int) -> tuple[Case, ...]:
        """A length and an even depth."""
        random = random_state(seed)
        shorter, length, longer = (int(random.choice(n)) for n in ([5, 7], [9, 11], [13, 15]))
        # On both sides of the logarithm of 10000, whose quotient may be rounded.
        depth, deeper = (int(random.choice(n)) for n in ([6, 8], [10, 12]))
        return (
            Case("plain", {"length": length, "depth": depth}),
            Case("one position", {"length": 1, "depth": depth}),
            Case("two features", {"length": longer, "depth": 2}),
            Case("deep", {"length": shorter, "depth": deeper}),
            # Of two features: angles that are whole numbers are the same in float32.
            Case("many positions", {"length": _MANY + int(random.randint(3, 20)), "depth": 2}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on two ints."""
        length = case.inputs["length"]
        return shown(obj(length, case.inputs["depth"]), length)


EXERCISE = PositionalEncoding()
