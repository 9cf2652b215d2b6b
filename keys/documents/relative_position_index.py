"""The key of ``documents.relative_position_index``."""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.judging.keys import Key
from course.exercises.documents.relative_position_index import EXERCISE
from keys.documents.common import distances


def relative_position_index(
    query_length: int, key_length: int, max_length: int
) -> dict[str, np.ndarray | str]:
    """Which row of a table of 2L-1 embeddings belongs to query i and key j.

    Args:
        query_length, key_length: how many queries and keys.
        max_length: L; distances are clipped to -(L-1) to L-1.

    Returns:
        index: integers (query_length, key_length), 0 to 2L-2; entries: what the index consists of.

    Reference: Shaw et al., "Self-Attention with Relative Position Representations" (2018), section
    3.2, with k = L-1 and the rows counted from 0.

    Example:
        >>> relative_position_index(2, 4, 3)["index"].tolist()
        [[2, 3, 4, 4], [1, 2, 3, 4]]
    """
    farthest = max_length - 1
    distance = distances(query_length, key_length)
    clipped = np.clip(distance, -farthest, farthest)
    return {"index": clipped + farthest, "entries": "integers"}


KEY = Key(EXERCISE, relative_position_index)

_index = partial(KEY.mistake, alone=True)

_index(
    "distance_reversed",
    "The distance is reversed: it should run from the query to the key.",
    "distances(query_length, key_length)",
    "-distances(query_length, key_length)",
)
_index(
    "not_clipped",
    "Distances beyond the table weren't clipped: they point to rows that don't exist.",
    "np.clip(distance, -farthest, farthest)",
    "distance",
)
_index(
    "not_shifted",
    "The distances weren't shifted: row numbers can't be negative, and which distance belongs "
    "to the first row?",
    "clipped + farthest",
    "clipped",
)
_index(
    "shifted_too_far",
    "The shift is one too large: the smallest distance must get row 0.",
    "clipped + farthest",
    "clipped + max_length",
)
_index(
    "table_too_large",
    "You kept one distance too many in each direction: count the rows that this needs, from "
    "the smallest distance to the largest.",
    "max_length - 1",
    "max_length",
)
_index(
    "bounds_too_wide",
    "The clipping bounds are too wide by one: the outermost rows don't exist.",
    "-farthest, farthest",
    "-max_length, max_length",
)
_index(
    "clipped_after_the_shift",
    "You shifted the distances before clipping them: then the bounds must be shifted as well.",
    "distances(query_length, key_length)",
    "distances(query_length, key_length) + farthest",
    "clipped + farthest",
    "clipped",
)
_index(
    "clipped_on_one_side",
    "Keys far after the query were clipped but those far before it weren't, or vice versa.",
    "-farthest, farthest",
    "None, farthest",
)
_index(
    "sign_lost",
    "The sign was lost: a key before the query is in a different place from one after it.",
    "distances(query_length, key_length)",
    "np.abs(distances(query_length, key_length))",
    "clipped + farthest",
    "clipped",
)
_index(
    "sign_lost_and_shifted",
    "The sign was lost before the shift, so half of the table is never used: a key before the "
    "query is in a different place from one after it.",
    "distances(query_length, key_length)",
    "np.abs(distances(query_length, key_length))",
)
_index(
    "axes_swapped",
    "The axes are swapped: each row belongs to a query, each column to a key.",
    "clipped + farthest",
    "clipped.T + farthest",
)
_index(
    "queries_for_keys",
    "The number of queries was used for both axes: there may be more or fewer keys.",
    "distances(query_length, key_length)",
    "distances(query_length, query_length)",
)
_index(
    "floats",
    "The numbers are right, but they're floats: table rows are looked up by integers.",
    '"entries": "integers"',
    '"entries": "floats"',
)
