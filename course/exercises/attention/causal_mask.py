"""What ``attention.causal_mask`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import comparable, equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state

_MASK = {"mask": ("queries", "keys")}
_ENTRIES = ("numbers", "Booleans")


def _entries(mask: Any) -> str:
    """What a mask consists of."""
    try:
        return _ENTRIES[np.asarray(mask).dtype == bool]
    except ValueError:  # lists of different lengths
        return _ENTRIES[0]


def _booleans(observation: Observation) -> str:
    """The mask has its shape and consists of Booleans, which ``&`` takes as True and False."""
    return comparable(_MASK)(observation) or equals("entries", ours=_ENTRIES)(observation)


class CausalMask(Exercise):
    """True where a position is the query's own or an earlier one."""

    name = "attention.causal_mask"
    lesson = "03-attention"
    section = 4
    translatable_outputs = _ENTRIES
    axes = _MASK | {"entries": ()}
    aspects = (
        Aspect("mask has the shape (queries, keys)", 10, ("few tokens",), has_shapes(_MASK)),
        Aspect("the entries are True or False", 10, ("few tokens",), _booleans),
        Aspect(
            "each token may attend to itself and to all earlier ones, and to no later one",
            80,
            ("few tokens", "more tokens", "one token"),
            numbers_agree("mask"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Lengths, none of them that of the lesson's example."""
        random = random_state(seed)
        few, more = (int(random.randint(least, 2 * least)) for least in (5, 11))
        lengths = {"few tokens": few, "more tokens": more, "one token": 1}
        return tuple(Case(name, {"length": length}) for name, length in lengths.items())

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on an integer."""
        mask = obj(case.inputs["length"])
        return {"mask": mask, "entries": _entries(mask)}


EXERCISE = CausalMask()
