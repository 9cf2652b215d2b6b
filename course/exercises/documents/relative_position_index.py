"""What ``documents.relative_position_index`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.aspects import comparable, equals, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, Observation
from selfcheck.sampling import random_state

# --- relative positions --------------------------------------------------------------------------

_NO_NUMBERS = "not numbers"

_KINDS = {"i": "integers", "u": "integers", "f": "floats"}

ENTRIES = (*dict.fromkeys(_KINDS.values()), _NO_NUMBERS)
"""What an array may consist of."""


def _entries(index: Any) -> str:
    """What an array consists of."""
    try:
        return _KINDS.get(np.asarray(index).dtype.kind, _NO_NUMBERS)
    except ValueError:  # lists of different lengths
        return _NO_NUMBERS


_INDEX = {"index": ("queries", "keys")}


def _integers(observation: Observation) -> str:
    """The index has its shape and consists of integers."""
    return comparable(_INDEX)(observation) or equals("entries", ours=ENTRIES)(observation)


class RelativePositionIndex(Exercise):
    """Which row of the table of distances belongs to a query and a key."""

    name = "documents.relative_position_index"
    lesson = "05-long-documents"
    section = 3
    translatable_outputs = ENTRIES
    axes = {"index": ("queries", "keys"), "entries": ()}
    aspects = (
        Aspect("index has the shape (queries, keys)", 10, ("more keys",), has_shapes(_INDEX)),
        Aspect("the entries are integers", 10, ("more keys",), _integers),
        Aspect(
            "distances run from the query to the key, and the smallest is row 0",
            50,
            ("more keys", "more queries", "as many", "single query", "single key", "single pair"),
            numbers_agree("index"),
        ),
        Aspect(
            "distances beyond the table get its first or last row",
            30,
            ("far apart", "table of one row"),
            numbers_agree("index"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Numbers of queries and keys, and the number of distances in one direction."""
        random = random_state(seed)
        # What is kept from an earlier call that differs in one argument is then known, too.
        few = int(random.randint(3, 15))
        many, longer = few + 2, few + 4
        # Some distances are such that a type of 8 bits doesn't hold them.
        far = [130 + int(random.randint(40)), int(random.randint(9, 30))]
        inputs = {
            "more keys": (few, many, longer),
            # The largest distance is more than four rows beyond the table.
            "far apart": (*far, int(random.randint(3, 5))),
            "more queries": (many, few, longer),
            "as many": (longer, longer, longer),
            "single query": (1, many, longer),
            "single key": (many, 1, longer),
            "single pair": (1, 1, 257 + int(random.randint(99))),
            "table of one row": (few, many, 1),
        }
        names = ("query_length", "key_length", "max_length")
        return tuple(
            Case(name, dict(zip(names, sizes, strict=True))) for name, sizes in inputs.items()
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on three integers."""
        index = obj(*case.inputs.values())
        return {"index": index, "entries": _entries(index)}


EXERCISE = RelativePositionIndex()
