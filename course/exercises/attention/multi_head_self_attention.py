"""What ``attention.multi_head_self_attention`` asks for, and what is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from course.exercises import weights
from course.exercises.attention.common import (
    large_kernels,
    padded_queries,
    set_first,
)
from course.exercises.attention.open_axes import fixed_axes, has_open_axes, kept_sizes
from course.exercises.heads import LayerWithHeads, set_output_bias
from course.exercises.masks import different_lengths, length_mask
from course.exercises.training_mode import WHILE_TRAINING, also_in_training, while_training
from course.exercises.weights import tensor
from selfcheck.aspects import Examine, absent, describe, has_shapes, identical, numbers_agree
from selfcheck.exercise import Aspect, Case, Failure, Observation, WrongReturn
from selfcheck.sampling import normal, random_state
from selfcheck.texts import say

_PARTS = ("separated", "combined")
_METHODS = ("separate_heads", "attention", "combine_heads")


def _part_is_right(part: str) -> Examine:
    """A part of the layer is right. A layer that has neither part, since it solves the task in
    another way, is judged by its output instead, which shows where each head looked."""

    def examine(observation: Observation) -> str:
        received = observation.received
        has_parts = not isinstance(received, Failure) and any(one in received for one in _PARTS)
        return numbers_agree(part if has_parts else "output")(observation)

    return examine


_WITHOUT_BIAS = ("query_linear", "key_linear", "value_linear")


def _has_bias(linear: Any) -> bool:
    return getattr(linear, "bias", None) is not None


def _has_no_bias(observation: Observation) -> str:
    """None of the three projections has learned numbers beside its kernel."""
    if isinstance(observation.received, Failure):
        return str(observation.received)
    biases = observation.received.get("biases")
    if not isinstance(biases, list):
        return absent("biases")
    return say("{names}: bias found", names=", ".join(map(str, biases))) if biases else ""


def _uses_methods(observation: Observation) -> str:
    """The call goes through the layer's methods, if it has them."""
    if isinstance(observation.received, Failure):
        return str(observation.received)
    if "unused" not in observation.received:
        return absent("unused")
    if identical(observation.received["unused"], []):
        return ""
    return say("call doesn't use all of self.separate_heads, attention and combine_heads")


class MultiHeadSelfAttention(LayerWithHeads):
    """A layer: project, attend in each head, concatenate, project."""

    name = "attention.multi_head_self_attention"
    lesson = "03-attention"
    section = 5
    builds = True
    optional = frozenset({"separated", "combined"})
    translatable_outputs = WHILE_TRAINING
    axes = {
        "output": ("batch", "time", "hidden_size"),
        "separated": ("batch", "heads", "time", "depth"),
        "combined": ("batch", "time", "hidden_size"),
        "biases": (),
        "unused": (),
        "fixed_axes": (),
        "ignored": (),
        "training": (),
    }
    input_axes = {"inputs": ("batch", "time", "hidden_size")}
    aspects = (
        Aspect(
            "output has the shape (batch, time, hidden_size), with batch and time of any size",
            10,
            ("plain",),
            has_open_axes(has_shapes({"output": axes["output"]})),
        ),
        Aspect(
            "head 1 sees the first columns, head 2 the next ones, and so on",
            10,
            ("plain",),
            _part_is_right("separated"),
        ),
        Aspect(
            "combining puts the heads side by side, first head first",
            10,
            ("plain",),
            _part_is_right("combined"),
        ),
        Aspect(
            "queries, keys and values are projected without a bias", 5, ("plain",), _has_no_bias
        ),
        Aspect("call uses the layer's own methods", 5, ("plain",), _uses_methods),
        Aspect(
            "the numbers are right, also while training",
            20,
            ("plain",),
            also_in_training(numbers_agree("output")),
        ),
        Aspect("padded tokens are not attended to", 20, ("padding mask",), numbers_agree("output")),
        Aspect(
            "a fully padded sample stays finite and the others stay right",
            10,
            ("padded sample",),
            numbers_agree("output"),
        ),
        Aspect(
            "large scores give finite, correct results",
            10,
            ("large logits",),
            numbers_agree("output"),
        ),
    )

    def cases(self, seed: int) -> tuple[Case, ...]:
        """Inputs (batch, time, hidden_size), four kernels and a bias, padding masks (batch, time),
        and what heads could give (batch, heads, time, depth)."""
        random = random_state(seed)
        # Always so many samples: what fits, or happens to be right, for some numbers would earn
        # other points from seed to seed.
        batch, (heads, time, depth) = 3, ((4, 7, 5), (2, 5, 7))[random.randint(2)]
        size = heads * depth
        inputs = {"inputs": normal(random, batch, time, size), "num_heads": heads, "mask": None}
        inputs["inputs"][0, 1] = 0  # a token like any other
        for name in ("query", "key", "value", "output"):
            # Entries of variance 1/size keep the projections at the scale of the inputs.
            inputs[f"{name}_kernel"] = normal(random, size, size) / np.float32(np.sqrt(size))
        lengths = different_lengths(random, batch, time)
        padding = length_mask(lengths, time)
        padding[1] = padding[1, ::-1]  # padding may come first, too
        one_padded = length_mask([0, *lengths[1:]], time)
        inputs["by_head"] = normal(random, batch, heads, time, depth)
        inputs["output_bias"] = normal(random, size) / np.float32(4)
        inputs |= {"earlier": None, "trains": False}
        return (
            Case("plain", inputs | {"trains": True}),
            Case("padding mask", inputs | {"mask": padding}, padded_queries(padding, size)),
            Case("padded sample", inputs | {"mask": one_padded}, padded_queries(one_padded, size)),
            Case(
                "large logits", inputs | _large_projections(inputs, depth) | {"earlier": one_padded}
            ),
        )

    def call(self, obj: Any, case: Case) -> Mapping[str, Any]:
        """Build the layer, give it the case's kernels and output bias (other biases 0), call it.

        Combining is tried on heads of its own, so that a mistake in separating costs it nothing.
        """
        inputs, mask = tensor(case.inputs["inputs"]), tensor(case.inputs["mask"])
        masks = {} if mask is None else {"mask": mask}
        layer = obj(inputs.shape[-1], case.inputs["num_heads"])
        attend = partial(layer, inputs, **masks)
        unused = _unused(layer, attend)
        weights.assign(
            layer,
            {
                f"{role}_linear.kernel": case.inputs[f"{role}_kernel"]
                for role in ("query", "key", "value", "output")
            },
        )
        set_output_bias(layer, case.inputs["output_bias"])
        output = attend(training=False)
        if isinstance(output, tuple | list):
            raise WrongReturn(
                say("returned {value}; expected a single array", value=describe(output))
            )
        outputs = {
            "output": output,
            "biases": [name for name in _WITHOUT_BIAS if _has_bias(getattr(layer, name, None))],
            "unused": unused,
        }
        # Sizes don't depend on the mask, and nothing in the formula is different in training.
        if case.inputs["trains"]:
            kept = kept_sizes(layer, inputs, output)
            outputs["training"] = while_training(attend, output)
            # The last calls, since they have masks, which a layer may keep.
            outputs["fixed_axes"] = _fixed_axes(layer, inputs) or kept
        outputs["ignored"] = [] if mask is None else _ignored(layer, case, output)
        # A layer that solves the task without these two methods is judged by its output alone.
        if hasattr(layer, "separate_heads") and hasattr(layer, "combine_heads"):
            outputs["separated"] = layer.separate_heads(inputs)
            # Which fails where the two agree on a layout of their own.
            with suppress(Exception):
                outputs["combined"] = layer.combine_heads(tensor(case.inputs["by_head"]))
            outputs.setdefault("combined", None)
        return outputs


def _unused(layer: Any, attend: Callable[[], Any]) -> list[str]:
    """Whether a layer has methods that its first call doesn't use: a subclass that replaces them
    would change nothing."""
    if not _has_methods(layer):
        attend()
        return []
    used = set()

    def noted(name: str) -> Callable[..., Any]:
        method = getattr(layer, name)

        def call(*args: Any, **options: Any) -> Any:
            used.add(name)
            return method(*args, **options)

        return call

    for name in _METHODS:
        # Past Keras, which keeps track of what a layer is given.
        object.__setattr__(layer, name, noted(name))
    attend()
    for name in _METHODS:
        object.__delattr__(layer, name)
    return [] if used == set(_METHODS) else ["methods"]


def _fixed_axes(layer: Any, inputs: Any) -> list[str]:
    """The axes that a model can't leave open around a layer, with a mask and without."""
    size = inputs.shape[-1]
    if stuck := fixed_axes(layer, None, size):
        return stuck
    if not _has_methods(layer):
        return []
    # Whether the attention takes a mask of open axes isn't asked here: this one takes any.
    object.__setattr__(layer, "attention", lambda query, key, value, mask=None: value)
    try:
        layer(inputs, mask=tensor(np.ones(inputs.shape[:2], bool)))
    except Exception:
        return []  # no mask fits: another aspect tells
    else:
        return fixed_axes(layer, None, size, masked=True)
    finally:
        object.__delattr__(layer, "attention")


def _has_methods(layer: Any) -> bool:
    """Whether a layer has the three methods; one without them solves the task in another way."""
    return all(hasattr(layer, name) for name in _METHODS)


def _ignored(layer: Any, case: Case, output: Any) -> list[str]:
    """The mask, where the output is the same without one, also for padding: what a padded token's
    own output is, nobody judges, and a mask along the wrong axis shows nowhere else."""
    try:
        # Of a tensor of its own: Keras remembers a tensor's mask.
        without = np.asarray(layer(tensor(case.inputs["inputs"])))
        return ["mask"] if np.array_equal(without, np.asarray(output)) else []
    except Exception:
        return []


def _large_projections(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """Inputs and kernels that raise every logit by the product of ``LARGE``, before scaling."""
    return {"inputs": set_first(inputs["inputs"], 1.0), **large_kernels(inputs, depth)}


EXERCISE = MultiHeadSelfAttention()
