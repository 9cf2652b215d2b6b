"""The key of ``attention.causal_mask``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.attention.causal_mask import EXERCISE
from keys.input_classes import some_values


def causal_mask(length: int) -> dict[str, np.ndarray | str]:
    """Which keys come no later than a query.

    Args:
        length: T, how many tokens there are.

    Returns:
        mask: 1 or 0 (T, T), 1 where the query (the row) may attend to the key (the column);
        entries: what the mask consists of.

    Reference: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.3, which masks the
    decoder's "illegal connections".

    Example:
        >>> causal_mask(3)["mask"].tolist()
        [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    key = np.arange(length)
    query = key[:, None]
    mask = (key <= query).astype(int)
    return {"mask": mask, "entries": "Booleans"}


KEY = Key(EXERCISE, causal_mask)

_ALLOWED = "(key <= query).astype(int)"

for _name, _cost, _hint, _instead in (
    (
        "upper_triangle",
        SLIP,
        "Each token may attend to itself and to later ones, so it looks ahead only: which axis of "
        "the mask holds the queries, and which the keys?",
        "(key >= query).astype(int)",
    ),
    (
        "mask_inverted",
        SLIP,
        "The mask is the wrong way round, True for what comes later: in this course, True may be "
        "attended to.",
        "(key > query).astype(int)",
    ),
    (
        "diagonal_missing",
        SLIP,
        "No token may attend to itself, and the first one to nothing at all: a token and those "
        "before it are known already.",
        "(key < query).astype(int)",
    ),
    (
        "one_token_ahead",
        SLIP,
        "Each token may also attend to the next one, which is the one to predict.",
        "(key <= query + 1).astype(int)",
    ),
    (
        "only_itself",
        IDEA,
        "Each token may attend only to itself: the earlier ones are known, too.",
        "(key == query).astype(int)",
    ),
    (
        "window_of_two",
        IDEA,
        "Each token may attend to itself and to the one just before it: what about those that are "
        "further back?",
        "((key == query) | (key == query - 1)).astype(int)",
    ),
    (
        "nothing_hidden",
        PART,
        "Every token may attend to every other one: those that come later must be hidden.",
        "np.ones((length, length), int)",
    ),
    (
        "row_for_all_queries",
        IDEA,
        "There is one row for all queries, as in a padding mask: here, each query may attend to "
        "different keys, so each needs its own row.",
        "np.ones(length, int)",
    ),
    (
        "column_of_queries",
        SLIP,
        "There's a row per query, but only one column: compare the queries' positions as a column "
        "with those of the keys as a row.",
        "np.ones((length, 1), int)",
    ),
):
    KEY.mistake(_name, _hint, _ALLOWED, _instead, cost=_cost)
# The task's own axes may be wrong as well, so these are changes of their own.
for _name, _hint, _axes in (
    (
        "batch_axis",
        "The mask has an axis in front of queries and keys: it's the same for all samples, and "
        "broadcasts to them without one.",
        "None",
    ),
    (
        "axes_of_batch_and_heads",
        "The mask has two axes in front of queries and keys: it's the same for all samples and "
        "heads, and broadcasts to them without any.",
        "None, None",
    ),
):
    KEY.mistake(_name, _hint, '"mask": mask', f'"mask": mask[{_axes}]', cost=SLIP)
KEY.mistake(
    "numbers",
    "Your mask holds numbers: the task asks for True and False, which `&` can combine with another "
    "mask.",
    '"entries": "Booleans"',
    '"entries": "numbers"',
    cost=SLIP,
    paired=True,
)
for _name, _low in (("minus_infinity", "-np.inf"), ("large_negative_number", "-1e9")):
    KEY.mistake(
        f"{_name}_to_add",
        "Your mask is one to add to the scores, 0 where a token may be attended to and very low "
        "elsewhere: in this course, a mask says True or False.",
        '"mask": mask',
        f'"mask": np.where(mask, 0, {_low})',
        '"entries": "Booleans"',
        '"entries": "numbers"',
    )
KEY.mistake(
    "infinity_times_zero_to_add",
    "Your mask is one to add to the scores, and infinity times 0 has made it NaN: in this course, "
    "a mask says True or False.",
    '"mask": mask',
    '"mask": np.where(mask, np.nan, -np.inf)',
    '"entries": "Booleans"',
    '"entries": "numbers"',
)
KEY.mistake(
    "sizes_of_the_example",
    "Your mask always has the size of the example: it depends on the length.",
    "np.arange(length)",
    "np.arange(3)",
    cost=SLIP,
)
KEY.mistake(
    "one_token_more",
    "Your mask has a row and a column too many: there are as many queries and keys as tokens.",
    "np.arange(length)",
    "np.arange(length + 1)",
    cost=SLIP,
)


INPUT_CLASSES = {
    "one token": some_values(lambda length: length == 1),
    "several tokens": some_values(lambda length: length > 3),
    "different numbers of tokens": lambda cases: (
        len({case.inputs["length"] for case in cases} - {1}) > 1
    ),
}
