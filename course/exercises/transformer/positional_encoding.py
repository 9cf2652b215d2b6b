"""What ``transformer.positional_encoding`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state

MANY, _WIDE = 10_000, 64
"""Positions: more than tables that are made once usually have. And features of a wide vector."""

_BASE = np.float32(10_000)


def shown(encoding: Any, length: int, depth: int) -> dict[str, Any]:
    """What is judged of an answer: all of it; of very many positions, how many and the last two;
    of very many features, how many positions and the second.

    Example:
        >>> shown(np.eye(3)[:, :2], 20_000, 2)["positions"].item()
        3.0
    """
    if length <= MANY and depth <= _WIDE:
        return {"encoding": encoding}
    axes = np.shape(encoding)
    count = {"positions": np.array(float(axes[0] if axes else 0))}
    if not axes:
        return count
    return count | ({"last": encoding[-2:]} if length > MANY else {"early": encoding[1:2]})


def _agrees(observation: Observation) -> str:
    """What is judged of the case."""
    return numbers_agree(*sorted(observation.expected.outputs, reverse=True))(observation)


class PositionalEncoding(Exercise):
    """Sines and cosines of the position, interleaved."""

    name = "transformer.positional_encoding"
    lesson = "04-transformer-encoder"
    section = 1
    axes = {
        "encoding": ("length", "depth"),
        "positions": (),
        "last": ("rows", "depth"),
        "early": ("rows", "depth"),
    }
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
        Aspect("all frequencies are right", 40, ("plain", "wide"), _agrees),
        Aspect("thousands of positions work, too", 10, ("many positions",), _agrees),
    )  # fmt: skip

    def cases(self, seed: int) -> tuple[Case, ...]:
        """A length and an even depth."""
        random = random_state(seed)
        # None is a multiple of 4. In six columns, exponents of 3i/6 are the same as of 2i/4; in 14
        # and more, 10000 to the power of 2i is too large for float32. A table that is kept from an
        # earlier call would fit some draws and not others.
        depth, wide = 10, 82 + 4 * int(random.randint(12))
        length = int(random.choice([n for n in range(13, 60) if n % 4]))
        # One of the last two positions has a negative cosine, so that a lost sign shows.
        lengths = MANY + np.arange(3, 20)
        many = int(random.choice(lengths[np.cos([lengths - 2, lengths - 1]).min(axis=0) < 0]))
        # The base isn't given to a student: how exactly 10000 to some power can be calculated is
        # what decides the tolerance. Nor is the number of positions that the call before asked for.
        return (
            Case("plain", {"length": length, "depth": depth}),
            Case("one position", {"length": 1, "depth": depth, "earlier": length}),
            Case("two features", {"length": length, "depth": 2}),
            Case("wide", {"length": wide // 2, "depth": wide}),
            Case("many positions", {"length": many, "depth": 4, "base": _BASE[None]}),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on two ints."""
        length, depth = case.inputs["length"], case.inputs["depth"]
        return shown(obj(length, depth), length, depth)


EXERCISE = PositionalEncoding()
