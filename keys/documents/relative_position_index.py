"""The key of ``documents.relative_position_index``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.documents.relative_position_index import EXERCISE
from keys.documents.common import distances
from keys.input_classes import Contain, some_values
from selfcheck.exercise import Case


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


def bucket(distance: np.ndarray, count: int, farthest: int = 128) -> np.ndarray:
    """T5's buckets of distances: half of them for keys after the query, and in each half single
    distances first, then logarithmic ranges of them; a part of mistakes, not of solutions.

    Reference: Raffel et al., "Exploring the Limits of Transfer Learning" (2020), section 2.1.
    """
    half = count // 2
    single, far = half // 2, np.abs(distance)
    ranges = np.log(np.maximum(far, 1) / max(single, 1)) / np.log(farthest / max(single, 1))
    large = np.minimum(single + np.floor(ranges * (half - single)), half - 1)
    return half * (distance > 0) + np.where(far < single, far, large).astype(int)


KEY.mistake(
    "distance_reversed",
    "The distance is reversed: it should run from the query to the key.",
    "distances(query_length, key_length)",
    "-distances(query_length, key_length)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "not_clipped",
    "Distances beyond the table weren't clipped: they point to rows that don't exist.",
    "np.clip(distance, -farthest, farthest)",
    "distance",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "not_shifted",
    "The distances weren't shifted: row numbers can't be negative, and which distance belongs "
    "to the first row?",
    "clipped + farthest",
    "clipped",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "shifted_too_far",
    "The shift is one too large: the smallest distance must get row 0.",
    "clipped + farthest",
    "clipped + max_length",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "shifted_too_little",
    "The shift is one too small: the smallest distance must get row 0, not -1.",
    "clipped + farthest",
    "clipped + farthest - 1",
    cost=SLIP,
)
for _name, _bound in (("last", "farthest"), ("first", "-farthest")):
    KEY.mistake(
        f"bounds_swapped_{_name}",
        "The bounds changed places, so every distance became the same: the lower one comes first.",
        "np.clip(distance, -farthest, farthest)",
        f"0 * distance + {_bound}",
        cost=SLIP,
    )
KEY.mistake(
    "no_axes",
    "Queries and keys need an axis each before you subtract: a column of one and a row of the "
    "other give a table.",
    "np.arange(query_length)[:, None]",
    "np.arange(query_length)",
)
KEY.mistake(
    "table_too_large",
    "You kept one distance too many in each direction: count the rows that this needs, from "
    "the smallest distance to the largest.",
    "max_length - 1",
    "max_length",
    cost=SLIP,
)
KEY.mistake(
    "bounds_too_wide",
    "The clipping bounds are too wide by one: the outermost rows don't exist.",
    "-farthest, farthest",
    "-max_length, max_length",
    cost=SLIP,
)
KEY.mistake(
    "clipped_after_the_shift",
    "You shifted the distances before clipping them: then the bounds must be shifted as well.",
    "distances(query_length, key_length)",
    "distances(query_length, key_length) + farthest",
    "clipped + farthest",
    "clipped",
    cost=SLIP,
)
KEY.mistake(
    "clipped_on_one_side",
    "Keys far after the query were clipped but those far before it weren't, or vice versa.",
    "-farthest, farthest",
    "None, farthest",
    cost=PART,
)
KEY.mistake(
    "sign_lost",
    "The sign was lost: a key before the query is in a different place from one after it.",
    "distances(query_length, key_length)",
    "np.abs(distances(query_length, key_length))",
    "clipped + farthest",
    "clipped",
)
KEY.mistake(
    "sign_lost_and_shifted",
    "The sign was lost before the shift, so half of the table is never used: a key before the "
    "query is in a different place from one after it.",
    "distances(query_length, key_length)",
    "np.abs(distances(query_length, key_length))",
)
KEY.mistake(
    "axes_swapped",
    "The axes are swapped: each row belongs to a query, each column to a key.",
    "clipped + farthest",
    "clipped.T + farthest",
    cost=SLIP,
)
KEY.mistake(
    "queries_for_keys",
    "The number of queries was used for both axes: there may be more or fewer keys.",
    "distances(query_length, key_length)",
    "distances(query_length, query_length)",
    cost=SLIP,
)
KEY.mistake(
    "floats",
    "Your numbers are floats: table rows are looked up by integers.",
    '"entries": "integers"',
    '"entries": "floats"',
    cost=SLIP,
)
for _name, _shift, _size in (
    ("shifted_by_the_smallest", "smallest distance that occurs", "clipped - clipped.min()"),
    ("shifted_by_the_largest", "largest distance that occurs", "clipped + clipped.max()"),
    ("shifted_by_queries", "number of queries", "clipped + query_length - 1"),
    ("shifted_by_keys", "number of keys", "clipped + key_length - 1"),
):
    KEY.mistake(
        _name,
        f"You shifted the distances by the {_shift}: a distance should have the same row whatever "
        "the number of tokens, so the shift depends on the table alone.",
        "clipped + farthest",
        _size,
        cost=SLIP,
    )
KEY.mistake(
    "clipped_on_the_other_side",
    "Keys far before the query were clipped but those far after it weren't.",
    "-farthest, farthest",
    "-farthest, None",
    cost=PART,
)
KEY.mistake(
    "half_as_many_distances",
    "You took max_length for the number of rows, or shared it between both directions: it's the "
    "number of distances in each direction, 0 included.",
    "max_length - 1",
    "max_length // 2",
    cost=SLIP,
)
KEY.mistake(
    "upper_bound_too_large",
    "The largest row number is one too large: count the rows of the table, from 0.",
    "-farthest, farthest",
    "-farthest, max_length",
    cost=SLIP,
)
KEY.mistake(
    "clipped_to_the_first_half",
    "You shifted the distances before clipping them, but kept the bounds of unshifted ones: keys "
    "after the query all get the row of distance 0.",
    "np.clip(distance, -farthest, farthest)",
    "np.clip(distance + farthest, 0, farthest) - farthest",
    cost=SLIP,
)
KEY.mistake(
    "lengths_swapped",
    "The two lengths are swapped: the rows are the queries, and the columns are the keys.",
    "distances(query_length, key_length)",
    "distances(key_length, query_length)",
    cost=SLIP,
)
KEY.mistake(
    "keys_for_queries",
    "The number of keys was used for both axes: there may be more or fewer queries.",
    "distances(query_length, key_length)",
    "distances(key_length, key_length)",
    cost=SLIP,
)
KEY.mistake(
    "queries_at_the_end",
    "You matched the queries to the last keys: both are counted from 0, even when there are more "
    "keys than queries.",
    "np.clip(distance, -farthest, farthest)",
    "np.clip(distance - (key_length - query_length), -farthest, farthest)",
)
KEY.mistake(
    "clipped_to_rows_without_a_shift",
    "You clipped the distances to the numbers of the rows, so all keys before the query got row 0: "
    "shift the distances, too.",
    "np.clip(distance, -farthest, farthest)",
    "np.clip(distance, 0, 2 * farthest)",
    "clipped + farthest",
    "clipped",
    cost=PART,
)
KEY.mistake(
    "keys_after_in_row_zero",
    "All keys after the query got row 0: row 0 belongs to the keys farthest before it, and those "
    "after it have the upper half of the table.",
    "clipped + farthest",
    "np.where(distance > 0, 0, clipped + farthest)",
    cost=PART,
)
KEY.mistake(
    "remainder_for_a_shift",
    "A remainder took the place of the shift: it gives row 0 to distance 0, and puts the keys "
    "before the query last. The smallest distance must get row 0.",
    "clipped + farthest",
    "clipped % (2 * farthest + 1)",
)
KEY.mistake(
    "remainder_of_the_distance",
    "A remainder took the place of clip and shift: far distances start again from row 0, and the "
    "smallest distance doesn't have it.",
    "clipped + farthest",
    "distance % (2 * farthest + 1)",
    cost=PART,
)
KEY.mistake(
    "one_byte",
    "The rows don't fit into one byte, so large ones started again from below: use a larger type "
    "of integer.",
    "clipped + farthest",
    "(clipped + farthest).astype(np.int8)",
    cost=SLIP,
)
KEY.mistake(
    "positions_clipped",
    "You clipped the positions, not the distances: two tokens far behind in a text then have the "
    "distance 0, however far apart they are.",
    "np.clip(distance, -farthest, farthest)",
    "np.minimum(np.arange(key_length), farthest)"
    " - np.minimum(np.arange(query_length), farthest)[:, None]",
)
KEY.mistake(
    "positions_added",
    "The two positions were added: a distance is a difference.",
    "np.arange(key_length) - np.arange",
    "np.arange(key_length) + np.arange",
    cost=SLIP,
)
KEY.mistake(
    "wrapped_around",
    "Distances beyond the table start again at its other end: all of them should get the last row "
    "on their side.",
    "clipped + farthest",
    "(distance + farthest) % (2 * farthest + 1)",
)
KEY.mistake(
    "one_row_for_all_far_distances",
    "Distances beyond the table all get row 0: those on the right should get the last row.",
    "clipped + farthest",
    "np.where(distance == clipped, clipped + farthest, 0)",
)
KEY.mistake(
    "sign_in_the_upper_half",
    "Each distance has a row of its own, but in another order: keys before the query are counted "
    "first, then those after it, as in T5. Here, rows go from the smallest distance to the "
    "largest.",
    "clipped + farthest",
    "np.abs(clipped) + farthest * (clipped > 0)",
)
KEY.mistake(
    "buckets",
    "You computed T5's buckets, in which far distances share a row: here, every distance up to the "
    "largest one has a row of its own.",
    "clipped + farthest",
    "bucket(distance, 2 * max_length - 1)",
)
KEY.mistake(
    "even_number_of_buckets",
    "You computed T5's buckets, in which far distances share a row: here, every distance up to the "
    "largest one has a row of its own.",
    "clipped + farthest",
    "bucket(distance, 2 * max_length)",
)
KEY.mistake(
    "folded_to_keys_by_queries",
    "All pairs were listed query by query, but the list was folded to (keys, queries): a row "
    "belongs to a query.",
    "clipped + farthest",
    "(clipped + farthest).reshape(key_length, query_length)",
    cost=SLIP,
)
KEY.mistake(
    "at_least_three_rows",
    "Where max_length is 1, you still tell distances apart: then the table has a single row, for "
    "all of them.",
    "max_length - 1",
    "max(max_length - 1, 1)",
    cost=SLIP,
)
# In the cases, an earlier call differs from a later one in one argument, by two.
for _name, _forgotten, _old, _new in (
    (
        "kept_for_other_queries",
        "the number of queries",
        "distances(query_length, key_length)",
        "distances(query_length if query_length > 1 else max(key_length - 2, 1), key_length)",
    ),
    (
        "kept_for_other_keys",
        "the number of keys",
        "distances(query_length, key_length)",
        "distances(query_length, key_length if key_length > 1 else max(query_length - 2, 1))",
    ),
    (
        "kept_for_another_table",
        "max_length",
        "max_length - 1",
        "(key_length + 1 if max_length == 1 else max_length - 1)",
    ),
):
    KEY.mistake(
        _name,
        f"You keep the results of earlier calls, and look them up without {_forgotten}: a result "
        "depends on all three arguments.",
        _old,
        _new,
        cost=SLIP,
    )


def _differ_in(place: int) -> Contain:
    """Whether two cases differ in this argument alone."""

    def holds(cases: Sequence[Case]) -> bool:
        sizes = [list(case.inputs.values()) for case in cases]
        others = {tuple(size[:place] + size[place + 1 :]) for size in sizes}
        return len(others) < len(sizes)

    return holds


INPUT_CLASSES = {
    "more keys than queries": some_values(lambda queries, keys, longest: queries < keys <= longest),
    "more queries than keys": some_values(lambda queries, keys, longest: keys < queries <= longest),
    "as many queries as keys": some_values(lambda queries, keys, longest: queries == keys > 1),
    "a single query": some_values(lambda queries, keys, longest: queries == 1 < keys),
    "a single key": some_values(lambda queries, keys, longest: keys == 1 < queries),
    "distances beyond the table on both sides": some_values(
        lambda queries, keys, longest: min(queries, keys) > longest > 1
    ),
    "the largest distances have the outermost rows": some_values(
        lambda queries, keys, longest: queries == keys == longest
    ),
    "a single query and a single key": some_values(
        lambda queries, keys, longest: queries == keys == 1
    ),
    "two calls that differ in the number of queries": _differ_in(0),
    "two calls that differ in the number of keys": _differ_in(1),
    "two calls that differ in the table": _differ_in(2),
    "a table of one row": some_values(lambda queries, keys, longest: longest == 1),
    "distances that one byte has no number for": some_values(
        lambda queries, keys, longest: max(queries, keys) > 129 and longest > 1
    ),
    "rows that one byte has no number for": some_values(
        lambda queries, keys, longest: longest > 256
    ),
}
