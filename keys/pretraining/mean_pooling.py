"""The key of ``pretraining.mean_pooling``."""

from __future__ import annotations

import numpy as np

from autograder.judging.keys import PART, SLIP, Key
from course.exercises.pretraining.mean_pooling import EXERCISE, output_name
from keys.input_classes import some


def mean_pooling(states: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
    """The mean of the states where the mask is True.

    Args:
        states: (..., T, d).
        mask: boolean (..., T).

    Returns:
        pooled: (..., d); of a text alone it's called vector, of four axes vectors.

    Reference: Reimers and Gurevych, "Sentence-BERT" (2019), section 3,
    https://arxiv.org/abs/1908.10084

    Example:
        >>> states = np.array([[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]])
        >>> mean_pooling(states, np.array([True, True, False]))["vector"].tolist()
        [2.0, 3.0]
    """
    kept = mask[..., None].astype(float)
    total = (states * kept).sum(axis=-2)
    count = np.maximum(kept.sum(axis=-2), 1)
    return {output_name(states.ndim): total / count}


KEY = Key(EXERCISE, mean_pooling)


_COUNT = "np.maximum(kept.sum(axis=-2), 1)"
_SUM = "(states * kept).sum(axis=-2)"

KEY.mistake(
    "first_places_taken",
    "The first places were taken, as many as the mask has True values: padding may be anywhere.",
    "mask[..., None].astype(float)",
    "np.sort(mask, axis=-1)[..., ::-1, None].astype(float)",
    cost=SLIP,
)
KEY.mistake(
    "mask_ignored",
    "The mask isn't used: padding is part of the mean.",
    "mask[..., None].astype(float)",
    "np.ones(mask.shape)[..., None]",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "mask_inverted",
    "The mask is read the other way round: True is a token, False is padding.",
    "mask[..., None].astype(float)",
    "(~mask)[..., None].astype(float)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "softmax_of_the_mask",
    "Your weights are a softmax of the mask: padding still gets e to the power of 0, more than a "
    "third of what a token gets.",
    "mask[..., None].astype(float)",
    "np.exp(mask[..., None].astype(float))",
)
KEY.mistake(
    "divided_by_the_length",
    "Padding is left out of the sum, but counted: divide by the number of tokens that are kept.",
    _COUNT,
    "states.shape[-2]",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "padding_in_the_sum",
    "Padding isn't counted, but it's part of the sum: set it to 0 first.",
    _SUM,
    "states.sum(axis=-2)",
    cost=PART,
    paired=True,
)
KEY.mistake(
    "summed",
    "The states were summed, but not divided by how many there are.",
    "total / count",
    "total",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "nan_for_nothing",
    "A text of padding alone is divided by 0: divide by at least 1.",
    _COUNT,
    "kept.sum(axis=-2)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "counted_in_the_batch",
    "You divided by the number of tokens in all texts: each text has its own.",
    _COUNT,
    "np.maximum(kept.sum(), 1)",
    cost=SLIP,
)
KEY.mistake(
    "one_more_counted",
    "You divided by the number of tokens plus 1: that keeps 0 out, but it makes every mean "
    "smaller.",
    _COUNT,
    "kept.sum(axis=-2) + 1",
    cost=SLIP,
)
KEY.mistake(
    "zeros_not_counted",
    "You divided each feature by how many of its numbers aren't 0: a token's feature may be 0, and "
    "it's the mask that says which tokens count.",
    _COUNT,
    "np.maximum((states * kept != 0).sum(axis=-2), 1)",
    cost=SLIP,
)
KEY.mistake(
    "root_of_the_count",
    "You divided by the root of the number of tokens: a mean is divided by the number itself.",
    _COUNT,
    "np.sqrt(np.maximum(kept.sum(axis=-2), 1))",
    cost=SLIP,
)
KEY.mistake(
    "largest",
    "The largest value of each feature was taken: the task asks for the mean.",
    "total / count",
    "np.where(kept > 0, states, -1e9).max(axis=-2)",
)
KEY.mistake(
    "largest_with_zeros",
    "The largest value of each feature was taken, with padding as zeros: the task asks for the "
    "mean.",
    "total / count",
    "(states * kept).max(axis=-2)",
)
KEY.mistake(
    "first_token",
    "Only the first token's state came back, as BERT does it with a token of its own: the task "
    "asks for the mean.",
    "total / count",
    "states[..., 0, :]",
)
KEY.mistake(
    "last_token",
    "Only the last state came back: the task asks for the mean.",
    "total / count",
    "states[..., -1, :]",
)
KEY.mistake(
    "counted_along_axis_one",
    "The tokens are counted along the second axis, which is only time if there's one axis in "
    "front: count from the end, as the sum does.",
    _COUNT,
    "np.maximum(kept.sum(axis=1), 1)",
    cost=SLIP,
)
KEY.mistake(
    "summed_along_axis_one",
    "The states are summed along the second axis, which is only time if there's one axis in "
    "front: count from the end, as you do for the tokens.",
    _SUM,
    "(states * kept).sum(axis=1)",
    cost=SLIP,
)
KEY.mistake(
    "axis_one",
    "The sum runs over the second axis, which is only time if there's one axis in front: count "
    "from the end.",
    _SUM,
    "(states * kept).sum(axis=1)",
    "kept.sum(axis=-2)",
    "kept.sum(axis=1)",
    cost=SLIP,
    paired=True,
)
KEY.mistake(
    "three_axes_only",
    "It works for (batch, time, features) only: there may be more axes in front, or none.",
    _SUM,
    'np.einsum("btd,bt->bd", states, kept[..., 0])',
    cost=SLIP,
)
KEY.mistake(
    "over_the_batch",
    "The sum runs over the texts: it should run over the tokens of each.",
    _SUM,
    "(states * kept).sum(axis=0)",
    _COUNT,
    "np.maximum(kept.sum(axis=0), 1)",
    cost=SLIP,
)
KEY.mistake(
    "over_the_features",
    "The mean runs over the features: it should run over the tokens.",
    "total / count",
    "(states * kept).mean(axis=-1)",
    cost=SLIP,
)
KEY.mistake(
    "time_kept",
    "The axis of the tokens is still there: it should disappear.",
    "total / count",
    "(total / count)[..., None, :]",
    cost=SLIP,
)
KEY.mistake(
    "squeezed",
    "You dropped every axis of size 1, including a batch of one: say which axis to drop.",
    "total / count",
    "(total / count).squeeze()",
    cost=SLIP,
)
KEY.mistake(
    "over_the_last_axis",
    "The sums run over the last axis, which is the features: it should be the tokens.",
    "(states * kept).sum(axis=-2)",
    "(states * kept).sum(axis=-1)",
    "kept.sum(axis=-2)",
    "kept.sum(axis=-1)",
    cost=SLIP,
)
KEY.mistake(
    "count_without_an_axis",
    "The numbers of tokens need an axis for the features, so that they can divide the sums.",
    _COUNT,
    "np.maximum(mask.sum(axis=-1), 1)",
    cost=SLIP,
    failure=r"shapes: .3,5. vs. .3.|shapes: .([\d,]+),\d+. vs. .\1\]",
)
for _name, _hint, _new, _failure in (
    (
        "mask_without_an_axis",
        "The mask needs an axis for the features, so that it can be multiplied with the states.",
        "mask.astype(float)",
        r"shapes: .3,7,5. vs. .3,7.|shapes: .([\d,]+),\d+. vs. .\1\]|reduction dimension .-2",
    ),
    (
        "mask_not_cast",
        "The mask and the states have different types: cast the mask to the states' one first.",
        "mask[..., None] @ None",
        r"same dtype|expected to be a float",
    ),
):
    KEY.mistake(_name, _hint, "mask[..., None].astype(float)", _new, cost=SLIP, failure=_failure)
KEY.mistake(
    "not_pooled",
    "The states came back one by one: each text needs one vector.",
    "total / count",
    "states * kept",
    cost=PART,
)
KEY.mistake(
    "minus_a_billion",
    "Padding got a large negative number, as before a softmax or a maximum: in a sum it must be 0.",
    _SUM,
    "np.where(kept > 0, states, -1e9).sum(axis=-2)",
)
KEY.mistake(
    "minus_a_billion_in_the_mean",
    "Padding got a large negative number, as before a softmax or a maximum: in a mean it mustn't "
    "be there at all.",
    "total / count",
    "np.where(kept > 0, states, -1e9).mean(axis=-2)",
)
KEY.mistake(
    "normalised",
    "The mean was scaled to length 1: return it as it is.",
    "total / count",
    "total / np.maximum(np.linalg.norm(total, axis=-1, keepdims=True), 1e-12)",
    cost=SLIP,
)


INPUT_CLASSES = {
    "no padding": some(lambda given: given["mask"].all()),
    "different numbers of tokens": some(
        lambda given: (
            given["mask"].ndim == 2
            and len(set(given["mask"].sum(-1).flat)) == len(given["mask"]) > 1
        )
    ),
    "padding after the tokens": some(
        lambda given: (given["mask"][..., :-1] & ~given["mask"][..., 1:]).any()
    ),
    "padding before the tokens": some(
        lambda given: (given["mask"][..., 1:] & ~given["mask"][..., :-1]).any()
    ),
    "a single token": some(lambda given: (given["mask"].sum(axis=-1) == 1).any()),
    "nothing but padding": some(lambda given: not given["mask"].any(axis=-1).all()),
    "padding with large numbers": some(
        lambda given: np.abs(np.where(given["mask"][..., None], 0, given["states"])).max() > 1000
    ),
    "a text without a batch": some(lambda given: given["states"].ndim == 2),
    "four axes, one of them of size 1": some(
        lambda given: given["states"].ndim == 4 and given["states"].shape[1] == 1
    ),
    "a token with a feature that's exactly 0": some(
        lambda given: (given["mask"][..., None] & (given["states"] == 0)).any()
    ),
    "features that are all negative": some(
        lambda given: (np.where(given["mask"][..., None], given["states"], -1) < 0).all()
    ),
}
