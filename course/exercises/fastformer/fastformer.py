"""What ``fastformer.fastformer`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.attention.common import LARGE
from course.exercises.attention.open_axes import has_open_axes, kept_sizes
from course.exercises.fastformer.common import WEIGHTS, layer_weights, zeros
from course.exercises.masks import different_lengths, length_mask
from course.exercises.training_mode import WHILE_TRAINING, also_in_training, while_training
from course.exercises.weights import tensor
from selfcheck.aspects import describe, has_shapes, numbers_agree
from selfcheck.exercise import Aspect, Case, Exercise, WrongReturn
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

_features = ("batch", "time", "hidden_size")

_shapes = has_open_axes(has_shapes({"attended": _features, "residual": _features}))


class Fastformer(Exercise):
    """A layer: every token meets a global query and a global key, in linear time."""

    name = "fastformer.fastformer"
    lesson = "06-fastformer"
    section = 3
    axes = {
        "attended": _features,
        "residual": _features,
        "fixed_axes": (),
        "training": (),
    }
    translatable_outputs = WHILE_TRAINING
    input_axes = {"inputs": ("batch", "time", "width")}
    aspects = (
        Aspect(
            "output has the shape (batch, time, hidden_size), with batch and time of any size",
            5,
            ("plain",),
            _shapes,
        ),
        Aspect(
            "when output_linear adds nothing, only the queries remain",
            15,
            ("plain",),
            numbers_agree("residual"),
        ),
        Aspect(
            "identical tokens: query, key and value are multiplied",
            15,
            ("equal tokens",),
            numbers_agree("attended"),
        ),
        Aspect(
            "the global query is pooled from the queries, in each head",
            15,
            ("key scores of zeros",),
            numbers_agree("attended"),
        ),
        Aspect(
            "the global key is pooled from the products of the global query and the keys, in each "
            "head",
            15,
            ("query scores of zeros",),
            numbers_agree("attended"),
        ),
        Aspect(
            "both poolings together are right, also while training",
            5,
            ("plain",),
            also_in_training(numbers_agree("attended")),
        ),
        Aspect(
            "the inputs' width may differ from hidden_size",
            5,
            ("other width",),
            numbers_agree("residual", "attended"),
        ),
        Aspect(
            "padded tokens get no weight in either pooling",
            15,
            ("padding mask",),
            numbers_agree("attended"),
        ),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            5,
            ("padded sample",),
            numbers_agree("attended"),
        ),
        Aspect(
            "large scores give finite, correct results",
            5,
            ("large scores",),
            numbers_agree("attended"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, any), a layer's weights, padding masks (batch, time)."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, heads = 3, 2
        time, depth = (int(n) for n in random.permutation([4, 5]))
        size, width = heads * depth, int(random.choice([11, 13]))
        x = normal(random, batch, time, size)
        x[1, 2] = 0  # as any other token
        inputs = {"inputs": x, "num_heads": heads, "mask": None, "trains": False, "earlier": None}
        inputs |= layer_weights(random, size, size, heads)
        wider = {"inputs": normal(random, batch, time, width)}
        wider |= layer_weights(random, width, size, heads)
        lengths = different_lengths(random, batch, time)
        padding, padded = length_mask(lengths, time), length_mask([0, *lengths[1:]], time)
        # Padding may come first as well. The second sample has some in any case.
        padding[1] = padding[1][::-1]
        last = length_mask([time - 1] * batch, time)
        large = inputs | _large_scores(inputs, depth) | {"mask": last}
        return (
            Case("plain", inputs | {"trains": True, "earlier": last}),
            Case("equal tokens", inputs | {"inputs": np.repeat(x[:1, :1], time, axis=1)}),
            Case("key scores of zeros", inputs | zeros(inputs, "key_score_kernel")),
            Case("query scores of zeros", inputs | zeros(inputs, "query_score_kernel")),
            Case("other width", inputs | wider),
            Case("padding mask", inputs | {"mask": padding}, _padded_places(padding, size)),
            Case("padded sample", inputs | {"mask": padded}, _padded_places(padded, size)),
            Case("large scores", large, _padded_places(last, size)),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer; call it with the case's weights, and with zeros in output_linear.

        What output_linear adds is judged apart from what is left without it.
        """
        inputs, heads = tensor(case.inputs["inputs"]), case.inputs["num_heads"]
        mask = tensor(case.inputs["mask"])
        named = {} if mask is None else {"mask": mask}
        layer = obj(heads, len(case.inputs["output_kernel"]) // heads)
        attend = partial(layer, inputs, **named)
        if case.inputs["earlier"] is not None:
            # What fails with a mask fails in other cases.
            with suppress(Exception):
                layer(inputs, mask=tensor(case.inputs["earlier"]))
        attend()  # makes the weights
        outputs, more = [], {}
        for change in ({}, zeros(case.inputs, "output_kernel")):
            values = {**case.inputs, **change}
            weights.assign(layer, {path: values[name] for path, name in WEIGHTS.items()})
            outputs.append(attend())
            if case.inputs["trains"] and not change:
                more = {"training": while_training(attend, outputs[0])}
        output, left = outputs
        if case.inputs["trains"]:
            # Last, and with masks, since a layer may keep one, which has sizes of its own.
            more["fixed_axes"] = kept_sizes(
                lambda x: layer(x, mask=tensor(np.ones(x.shape[:2], bool))), inputs, output
            )
        if output is None or isinstance(output, tuple | list):
            raise WrongReturn(
                say("returned {value}; expected a single array", value=describe(output))
            )
        return {"attended": output - left, "residual": left, **more}


def _large_scores(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """What changes every score of both poolings by the product of ``LARGE``, before scaling.

    The first feature of every head has one value in all queries, and 1 in all keys, so that the
    products with the global query have that value as well. The first head's scores become small,
    those of the others large.
    """
    x = inputs["inputs"].copy()
    x[..., 0] = 1.0
    changed = {"inputs": x}
    for role, feature in (("query", LARGE[0]), ("key", 1.0)):
        kernel, score = inputs[f"{role}_kernel"].copy(), inputs[f"{role}_score_kernel"].copy()
        kernel[:, ::depth] = 0.0
        kernel[0, ::depth] = feature
        score[::depth] = LARGE[1] * np.eye(score.shape[1], dtype=np.float32)
        score[0, 0] = -LARGE[1]
        changed |= {f"{role}_kernel": kernel, f"{role}_score_kernel": score}
    return changed


def _padded_places(mask: np.ndarray, size: int) -> dict[str, np.ndarray]:
    """Where right answers may differ: a padded token's output is never used."""
    padded = np.repeat(~mask[:, :, None], size, axis=2)
    return {"attended": padded, "residual": padded}


EXERCISE = Fastformer()
