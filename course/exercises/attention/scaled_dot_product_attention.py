"""What ``attention.scaled_dot_product_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.attention.common import set_first
from course.exercises.masks import different_lengths, length_mask
from course.exercises.weights import tensor
from selfcheck.aspects import Examine, describe, has_shapes, numbers_agree, rows_sum_to_one
from selfcheck.exercise import Aspect, Case, Exercise, Failure, Observation, WrongReturn
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

FAR = 12288.0
"""The score of a hidden key is about this high, and that of a key which isn't hidden about this
low, so that ten thousand doesn't hide a key."""
_LARGE = (100.0, 30.0)
"""Factors of scores of about 800, whose exponentials overflow also in float64."""


def _no_pair(value: Any) -> str:
    return say(
        "returned {value}; expected the pair (output, weights), in that order",
        value=describe(value),
    )


def _is_pair(examine: Examine) -> Examine:
    """The same, where both results came back."""

    def examine_pair(observation: Observation) -> str:
        received = observation.received
        if not isinstance(received, Failure) and received.get("weights", ...) is None:
            return _no_pair(received.get("output"))
        return examine(observation)

    return examine_pair


def _with_a_mask_for_each_query(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, root: np.float32
) -> dict[str, np.ndarray]:
    """Inputs with one mask for all samples, in which each query may attend to other keys. There
    are as many queries as samples, so that it has the sizes of a padding mask."""
    few, keys = min(query.shape[:2]), key.shape[1]
    query, key = set_first(query[:few, :few], 0), set_first(key[:few], 0)
    mask = length_mask([*range(keys - few, keys)], keys)
    # The first sees one key, whose score is far below those of the others. These are all 0, so
    # that float32 doesn't round them when a number is added.
    mask[0] = np.arange(keys) == 1
    query[:, 0], key[:, 1, 0] = 0, -root
    query[:, 0, 0] = root
    return {"query": query, "key": key, "value": value[:few], "mask": mask}


class ScaledDotProductAttention(Exercise):
    """softmax(QKᵀ/√d_k)V with a mask; returns the output and the weights."""

    name = "attention.scaled_dot_product_attention"
    lesson = "03-attention"
    section = 4
    axes = {
        "output": ("batch", "heads", "queries", "d_v"),
        "weights": ("batch", "heads", "queries", "keys"),
    }
    input_axes = {"key": ("keys", "d_k"), "value": ("d_v",), "query": ("queries", "d_k")}
    aspects = (
        Aspect(
            "output and weights have the right shapes", 10, ("plain",), _is_pair(has_shapes(axes))
        ),
        Aspect(
            "no weight is negative, and each row sums to 1",
            10,
            ("plain",),
            rows_sum_to_one("weights"),
        ),
        Aspect("the weights are right", 20, ("plain",), numbers_agree("weights")),
        Aspect("the output is right", 10, ("plain",), numbers_agree("output")),
        Aspect(
            "masked keys get no weight, the others share it",
            20,
            ("padding mask", "query mask", "square mask"),
            numbers_agree("weights", "output"),
        ),
        # After the masks with three axes, so that a wrong mask is reported there first.
        Aspect(
            "any leading axes: (batch, heads, time, depth) works too",
            10,
            ("heads", "heads with a mask"),
            numbers_agree("weights", "output"),
        ),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            10,
            ("padded sample",),
            numbers_agree("weights", "output"),
        ),
        Aspect(
            "large scores give finite, correct results",
            10,
            ("large logits",),
            numbers_agree("weights", "output"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Queries (..., T, d_k), keys (..., S, d_k), values (..., S, d_v) and masks (..., T, S)."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        # Each size has others for the seed to choose from, but none that is smaller than the size
        # before it: what fits because an axis is the shorter one fits always, or never. None is a
        # square, whose root would be that of d_k, cut to a whole number, and d_k is far from the
        # four features of the example, also where its root is cut.
        sizes = (2, 4), (5, 6), (7, 8), (10, 11), (13, 14)
        heads, keys, queries, d_v, d_k = (int(random.choice(size)) for size in sizes)
        batch = 3
        query = normal(random, batch, queries, d_k)
        key = normal(random, batch, keys, d_k)
        value = normal(random, batch, keys, d_v)
        # A key like any other, also where its score of 0 is above all others of a query.
        key[0, 0] = 0
        key[0, 1:, 0] = 1 + np.abs(key[0, 1:, 0])
        query[0, 0] /= 8
        query[0, 0, 0] = -4
        inputs = {"query": query, "key": key, "value": value, "mask": None}
        by_head = {
            "query": normal(random, batch, heads, queries, d_k),
            "key": normal(random, batch, heads, keys, d_k),
            "value": normal(random, batch, heads, keys, d_v),
            "mask": None,
        }
        lengths = different_lengths(random, batch, keys)
        padding = length_mask(lengths, keys)
        padding[1] = padding[1, ::-1]  # padding may come first, too
        one_padded = length_mask([0, *lengths[1:]], keys)[:, None, :]
        root = np.float32(np.sqrt(FAR * np.sqrt(d_k)))
        # One hidden key of each sample: of several, float32 would round the weights.
        highest = ~padding & (np.cumsum(~padding, axis=1) == 1)
        far = np.where(highest, root, 0).astype(np.float32)
        far = {"query": set_first(query, root), "key": set_first(key, far)}
        # Every third key hidden, and in each sample and for each query others.
        thirds = np.add.outer(np.add.outer(np.arange(batch), np.arange(queries)), np.arange(keys))
        large = set_first(key, _LARGE[1])
        # In the last sample from key to key.
        large[-1, ::2, 0] *= -1
        # Exponentials that overflow in one sample and vanish in the next, whichever is first.
        signs = np.where(np.arange(batch) % 2, -1, 1) * (1 if random.randint(2) else -1)
        loud = set_first(query, (_LARGE[0] * signs)[:, None])
        # Beside the other queries of its sample, whose scores are far above 0.
        loud[-1, 0, 0] = 0
        first_output = np.zeros((batch, queries, d_v), bool)
        first_weights = np.zeros((batch, queries, keys), bool)
        first_output[0] = first_weights[0] = True
        return (
            Case("plain", inputs),
            Case("heads", by_head),
            Case("heads with a mask", by_head | {"mask": thirds[:, None] % 3 > 0}),
            Case("padding mask", inputs | far | {"mask": padding[:, None, :]}),
            Case("query mask", _with_a_mask_for_each_query(query, key, value, root)),
            # What comes before it, as a model of the next word has it: no query before its key.
            Case(
                "square mask",
                inputs | {"query": query[:, :keys], "mask": np.tri(keys, dtype=bool)},
            ),
            Case(
                "padded sample",
                inputs | {"mask": one_padded},
                free={"output": first_output, "weights": first_weights},
            ),
            Case(
                "large logits",
                inputs | {"query": loud, "key": large},
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Call the function on float32 tensors and a boolean mask.

        A single array is taken for the output, so that it's judged without the weights.
        """
        tensors = {name: tensor(array) for name, array in case.inputs.items()}
        mask = tensors.pop("mask")
        result = obj(*tensors.values()) if mask is None else obj(*tensors.values(), mask=mask)
        if isinstance(result, tuple | list) and len(result) == 2:
            return {"output": result[0], "weights": result[1]}
        if hasattr(result, "shape"):
            return {"output": result, "weights": None}
        raise WrongReturn(_no_pair(result))


EXERCISE = ScaledDotProductAttention()
