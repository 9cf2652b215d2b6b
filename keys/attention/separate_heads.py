"""The key of ``attention.separate_heads``."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.attention.separate_heads import EXERCISE
from keys.attention.common import separate_heads as by_columns


def separate_heads(x: np.ndarray, num_heads: int, opens: bool = False) -> dict[str, Any]:
    """Give each head its columns.

    Args:
        x: (batch, time, d_model).
        num_heads: H, a divisor of d_model.
        opens: whether open axes are looked at.

    Returns:
        separated: (batch, H, time, d_model / H); if looked at, the axes of one size only: none.

    Reference: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2, where each head
    has its own matrices: side by side, they make one.
    """
    stuck: list[str] = []
    outputs = {"separated": by_columns(x, num_heads)}
    return {**outputs, "fixed_axes": stuck} if opens else outputs


KEY = Key(EXERCISE, separate_heads)

OPEN_AXES = (
    "Your function fails in a model that leaves batch and time open, where a tensor's shape "
    "contains None: which function gives the sizes at run time?"
)

_BOTH = "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)"

for _name, _cost, _hint, _instead in (
    (
        "reshaped_straight",
        SLIP,
        "A single reshape to (batch, heads, time, depth) moves no number: the first head gets the "
        "first tokens. Reshape to (batch, time, heads, depth) first, then move the axes.",
        "x.reshape(batch, num_heads, time, size // num_heads)",
    ),
    (
        "axes_not_moved",
        PART,
        "The heads are separated, but their axis is behind the time axis: it belongs before it.",
        "x.reshape(batch, time, num_heads, size // num_heads)",
    ),
    (
        "interleaved_heads",
        SLIP,
        "Each head got every H-th column: head h must see neighbouring columns. Which of the two "
        "new axes comes first?",
        "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 3, 1, 2)",
    ),
    (
        "heads_and_depth_swapped",
        SLIP,
        "The number of heads and the number of each head's columns are swapped: the last axis is "
        "split into (heads, depth), in this order.",
        "x.reshape(batch, time, size // num_heads, num_heads).transpose(0, 2, 1, 3)",
    ),
    (
        "time_and_depth_swapped",
        SLIP,
        "Time and depth changed places, too: only the axes of time and heads have to.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 3, 1)",
    ),
    (
        "heads_before_the_batch",
        SLIP,
        "The heads became the first axis: the batch stays first, then come the heads.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(2, 0, 1, 3)",
    ),
    (
        "heads_at_the_end",
        SLIP,
        "The heads became the last axis: they belong behind the batch.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 1, 3, 2)",
    ),
    (
        "all_axes_reversed",
        SLIP,
        "A transpose without axes reverses all of them: say which axis goes where.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose()",
    ),
    (
        "transposed_first",
        SLIP,
        "You transposed before you reshaped, so columns and tokens got mixed: cut the columns into "
        "heads first.",
        "x.transpose(0, 2, 1).reshape(batch, num_heads, time, size // num_heads)",
    ),
    (
        "heads_in_the_batch",
        SLIP,
        "You put the heads before the samples, all samples of one head after those of another, and "
        "then reshaped, which mixes them: the heads' axis comes after that of the samples.",
        "np.concatenate(np.split(x, num_heads, axis=-1), axis=0)"
        ".reshape(batch, num_heads, time, size // num_heads)",
    ),
    (
        "heads_along_the_batch",
        SLIP,
        "You joined the heads along the batch axis: stack them along an axis of their own.",
        "np.concatenate(np.split(x, num_heads, axis=-1), axis=0)",
    ),
    (
        "heads_joined_with_the_batch",
        SLIP,
        "You merged the batch and the heads into one axis: each needs its own.",
        "x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3)"
        ".reshape(batch * num_heads, time, size // num_heads)",
    ),
    (
        "one_sample",
        SLIP,
        "You wrote 1 for the size of the batch: several samples then become one long one.",
        "x.reshape(1, batch * time, num_heads, size // num_heads).transpose(0, 2, 1, 3)",
    ),
    (
        "squeezed",
        SLIP,
        "You removed every axis of size 1, also where the batch has one sample: say which axis "
        "should go.",
        "np.squeeze(x.reshape(batch, time, num_heads, size // num_heads).transpose(0, 2, 1, 3))",
    ),
    (
        "first_columns_for_all",
        SLIP,
        "Every head got the first columns: does each pass of the loop take its own?",
        "np.stack([x[..., : size // num_heads]] * num_heads, axis=1)",
    ),
    (
        "overlapping_heads",
        SLIP,
        "Head h got the columns from h on: the heads overlap, and none of them sees the last "
        "columns. Where does each head begin?",
        "np.stack([x[..., h : h + size // num_heads] for h in range(num_heads)], axis=1)",
    ),
):
    KEY.mistake(_name, _hint, _BOTH, _instead, cost=_cost, paired=True)
KEY.mistake(
    "fixed_axes",
    OPEN_AXES,
    "stuck: list[str] = []",
    'stuck: list[str] = ["batch", "time"]',
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "squeezed_where_sizes_are_open",
    "You removed every axis of size 1, also where the batch has one sample; where sizes aren't "
    "known yet, this fails. Say which axis should go.",
    _BOTH,
    f"np.squeeze({_BOTH})",
    "stuck: list[str] = []",
    'stuck: list[str] = ["batch", "time"]',
    cost=SLIP,
)
KEY.mistake(
    "heads_of_earlier_calls",
    "Your function keeps heads from earlier calls: make a new list in every call.",
    '{"separated": by_columns(x, num_heads)}',
    '{"separated": by_columns(x, num_heads) if opens else x.shape["kept"]}',
    cost=SLIP,
    failure=r"out of scope|[Ss]hapes? of all inputs|same shape",
)


INPUT_CLASSES = {
    "several samples": lambda cases: any(len(case.inputs["x"]) > 1 for case in cases),
    "one sample": lambda cases: any(len(case.inputs["x"]) == 1 for case in cases),
    "one head": lambda cases: any(case.inputs["num_heads"] == 1 for case in cases),
    "axes of different sizes": lambda cases: any(
        len({*case.inputs["x"].shape[:2], heads, case.inputs["x"].shape[2] // heads}) == 4
        for case in cases
        if (heads := case.inputs["num_heads"]) > 1
    ),
    "different numbers of heads": lambda cases: (
        len({case.inputs["num_heads"] for case in cases} - {1}) > 1
    ),
    "other features per head than usual, where those would fit": lambda cases: any(
        case.inputs["x"].shape[2] % 64 == 0
        and case.inputs["x"].shape[2] // case.inputs["num_heads"] not in (16, 32, 64)
        for case in cases
        if case.inputs["num_heads"] > 1
    ),
    "as many heads as tokens": lambda cases: any(
        case.inputs["num_heads"] == case.inputs["x"].shape[1] > 1 for case in cases
    ),
}
