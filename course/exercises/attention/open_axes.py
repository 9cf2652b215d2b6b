"""Whether something works in a model that leaves batch and time open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from selfcheck.aspects import Examine, absent, identical
from selfcheck.exercise import Observation
from selfcheck.texts import say

FIXED_AXES = ("batch", "time")
"""Of what reads sizes which a model doesn't know yet."""
KEPT = ("sizes of the first call",)
"""Instead of these, in a layer that keeps them."""


def has_open_axes(has_shape: Examine) -> Examine:
    """The output has its shape, also where a model doesn't know batch and time yet.

    Args:
        has_shape: of the output.
    """

    def examine(observation: Observation) -> str:
        seen = has_shape(observation)
        if seen:
            return seen
        if "fixed_axes" not in observation.received:
            return absent("fixed_axes")
        if identical(observation.received["fixed_axes"], []):
            return ""
        if identical(observation.received["fixed_axes"], KEPT):
            return say("the layer fails when its next call has fewer samples and tokens")
        return say("it fails in a model that doesn't fix batch and time")

    return examine


def fixed_axes(call: Callable[..., Any], *shape: int | None, masked: bool = False) -> list[str]:
    """The axes that a model can't leave open around something.

    Args:
        call: a layer, or a function that would be called in one.
        shape: of that tensor, without the batch; None is open.
        masked: whether a mask (batch, time) is given, too.
    """
    import keras

    layer = call if isinstance(call, keras.Layer) else keras.layers.Lambda(call)
    try:
        masks = {"mask": keras.Input(shape[:1], dtype="bool")} if masked else {}
        layer(keras.Input(shape), **masks)
    except Exception:
        return list(FIXED_AXES)
    return []


def kept_sizes(call: Callable[[Any], Any], inputs: Any, output: Any) -> list[str]:
    """The sizes of the first call, where a layer can't take fewer samples and tokens.

    Args:
        call: calls a layer, which was called on the inputs before.
        inputs: shape (batch, time, any).
        output: of that call. If it's not a vector per token, nothing is asked.
    """
    if np.shape(output)[:-1] != np.shape(inputs)[:-1]:
        return []
    try:
        call(inputs)
    except Exception:
        return []  # Another aspect tells.
    fewer = inputs[:-1, :-1]
    try:
        shape = np.shape(call(fewer))
    except Exception:
        return list(KEPT)
    return [] if shape[:-1] == np.shape(fewer)[:-1] else list(KEPT)
