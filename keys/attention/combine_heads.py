"""The key of ``attention.combine_heads``."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.judging.keys import IDEA, PART, SLIP, Key
from course.exercises.attention.combine_heads import EXERCISE
from keys.attention.common import combine_heads as side_by_side
from keys.attention.separate_heads import OPEN_AXES


def combine_heads(x: np.ndarray, opens: bool = False) -> dict[str, Any]:
    """Put the heads of every token side by side.

    Args:
        x: (B, H, T, d).
        opens: whether open axes are looked at.

    Returns:
        combined: (B, T, H·d); if looked at, the axes of one size only: none.

    Reference: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2, Concat.
    """
    fixed: list[str] = []
    outputs = {"combined": side_by_side(x)}
    return {**outputs, "fixed_axes": fixed} if opens else outputs


KEY = Key(EXERCISE, combine_heads)

_BOTH = "x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth)"

for _name, _cost, _hint, _instead in (
    (
        "reshaped_straight",
        SLIP,
        "A single reshape moves no number: heads and tokens got mixed. Move the axes back to "
        "(batch, time, heads, depth) first.",
        "x.reshape(batch, time, heads * depth)",
    ),
    (
        "separated_again",
        IDEA,
        "You separated once more instead of going back: first the transpose, then the reshape.",
        "x.reshape(batch, heads, depth, time).transpose(0, 2, 1, 3)"
        ".reshape(batch, time, heads * depth)",
    ),
    (
        "reshaped_before_the_transpose",
        SLIP,
        "You reshaped first and transposed after it, which is how heads are separated: on the way "
        "back, the transpose comes first.",
        "x.reshape(batch, time, heads, depth).transpose(0, 2, 1, 3)"
        ".reshape(batch, time, heads * depth)",
    ),
    (
        "heads_averaged",
        IDEA,
        "You averaged the heads and repeated their mean: each head's own columns must be kept, "
        "side by side.",
        "np.tile(x.mean(axis=1), heads)",
    ),
    (
        "sizes_before_the_transpose",
        SLIP,
        "You took the sizes where they are before the transpose: after it, heads and time have "
        "changed places.",
        "x.transpose(0, 2, 1, 3).reshape(batch, heads, time * depth)",
    ),
    (
        "squeezed",
        SLIP,
        "You removed every axis of size 1, also where the batch has one sample: say which axis "
        "should go.",
        "np.squeeze(x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth))",
    ),
    (
        "samples_and_heads_in_one_axis",
        SLIP,
        "You put samples and heads into one axis and cut it into pieces of consecutive rows: with "
        "more than one sample, these aren't the heads.",
        "np.concatenate(np.split(x.reshape(batch * heads, time, depth), heads), axis=-1)",
    ),
    (
        "column_by_column",
        SLIP,
        "The first column of every head comes first, then the second: the columns of one head must "
        "stay side by side.",
        "x.transpose(0, 2, 3, 1).reshape(batch, time, heads * depth)",
    ),
    (
        "axes_moved_only",
        PART,
        "The axes are where they belong, but the heads are still apart: join the last two axes.",
        "x.transpose(0, 2, 1, 3)",
    ),
    (
        "mean_of_the_heads",
        IDEA,
        "You averaged the heads: each of them found something of its own. Put them side by side.",
        "x.mean(axis=1)",
    ),
    (
        "sum_of_the_heads",
        IDEA,
        "You added the heads up: each of them found something of its own. Put them side by side.",
        "x.sum(axis=1)",
    ),
    (
        "first_head_again",
        SLIP,
        "Every head is a copy of the first one: does each pass of the loop take its own head?",
        "np.concatenate([x[:, 0]] * heads, axis=-1)",
    ),
    (
        "side_by_side_in_time",
        SLIP,
        "The heads follow each other along the time axis: put their features side by side.",
        "np.concatenate([x[:, head] for head in range(heads)], axis=1)",
    ),
    (
        "last_head_first",
        SLIP,
        "The heads are side by side in the wrong order: the first head comes first.",
        "np.concatenate([x[:, head] for head in reversed(range(heads))], axis=-1)",
    ),
    (
        "time_first",
        SLIP,
        "The tokens became the first axis: the batch stays first, then come the tokens.",
        "x.transpose(2, 0, 1, 3).reshape(time, batch, heads * depth)",
    ),
    (
        "samples_mixed",
        SLIP,
        "You moved the batch as well: it stays the first axis.",
        "x.transpose(2, 0, 1, 3).reshape(batch, time, heads * depth)",
    ),
):
    KEY.mistake(_name, _hint, _BOTH, _instead, cost=_cost, paired=True)
KEY.mistake(
    "fixed_axes",
    OPEN_AXES,
    "fixed: list[str] = []",
    'fixed: list[str] = ["batch", "time"]',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "squeezed_where_sizes_are_open",
    "You removed every axis of size 1, also where the batch has one sample; where sizes aren't "
    "known yet, this fails. Say which axis should go.",
    _BOTH,
    "np.squeeze(x.transpose(0, 2, 1, 3).reshape(batch, time, heads * depth))",
    "fixed: list[str] = []",
    'fixed: list[str] = ["batch", "time"]',
    cost=SLIP,
)
KEY.mistake(
    "three_heads",
    "You combine the three heads of the example: take as many as x has.",
    _BOTH,
    "np.concatenate([x[:, 0], x[:, 1], x[:, 2]], axis=-1)",
    cost=SLIP,
    failure=r"out of bounds|slice index",
)
KEY.mistake(
    "heads_of_earlier_calls",
    "Your function keeps heads from earlier calls: make a new list in every call.",
    '{"combined": side_by_side(x)}',
    '{"combined": side_by_side(x) if opens else x.shape["kept"]}',
    cost=SLIP,
    failure=r"out of scope|[Ss]hapes? of all inputs|same shape",
)


INPUT_CLASSES = {
    "several samples": lambda cases: any(len(case.inputs["x"]) > 1 for case in cases),
    "one sample": lambda cases: any(len(case.inputs["x"]) == 1 for case in cases),
    "one head": lambda cases: any(case.inputs["x"].shape[1] == 1 for case in cases),
    "axes of different sizes": lambda cases: any(
        len(set(case.inputs["x"].shape)) == 4 for case in cases if case.inputs["x"].shape[1] > 1
    ),
    "different numbers of heads": lambda cases: (
        len({case.inputs["x"].shape[1] for case in cases} - {1}) > 1
    ),
    "as many heads as tokens": lambda cases: any(
        case.inputs["x"].shape[1] == case.inputs["x"].shape[2] > 1 for case in cases
    ),
}
