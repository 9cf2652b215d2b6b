"""Layers that give the same numbers while training as while predicting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from selfcheck.aspects import Examine, equals
from selfcheck.exercise import Observation

SAME = "as while predicting"
OTHER = "other numbers than while predicting"
WHILE_TRAINING = SAME, OTHER
"""The possible findings on outputs in training."""

_CALLS = 5
"""Number of training calls: with a small rate, one call may drop nothing, but not all of them."""


def while_training(attend: Callable[..., Any], output: Any) -> str:
    """A layer's outputs in training.

    Args:
        attend: calls the layer; takes ``training``.
        output: of the same call while predicting.
    """
    still = _numbers(output)
    for _ in range(_CALLS):
        now = _numbers(attend(training=True))
        if now.shape != still.shape or not np.allclose(
            now, still, rtol=1e-3, atol=1e-5, equal_nan=True
        ):
            return OTHER
    return SAME


def learns(weights: Iterable[Any], call: Callable[[], Any], output: Any) -> bool:
    """Whether the gradient reaches all weights that an output depends on.

    Args:
        weights: of a layer or model.
        call: gives the output.
        output: what it gives.
    """
    import tensorflow as tf

    floats = [one for one in weights if one.dtype == "float32"]
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(call())
    gradients = tape.gradient(total, [getattr(one, "value", one) for one in floats])
    random = np.random.RandomState(0)
    for weight, gradient in zip(floats, gradients, strict=True):
        if gradient is None:
            before = np.array(weight)
            weight.assign(before + random.normal(size=before.shape))
            depends = not np.allclose(_numbers(call()), _numbers(output), equal_nan=True)
            weight.assign(before)
            if depends:
                return False
    return True


def _numbers(output: Any) -> np.ndarray:
    """An output as an array; none where it's something else, which is judged elsewhere."""
    try:
        return np.asarray(output, float)
    except (TypeError, ValueError):
        return np.array([])


def also_in_training(examine: Examine) -> Examine:
    """The same, and the layer gives the same numbers while training."""
    agrees = equals("training", ours=WHILE_TRAINING)

    def both(observation: Observation) -> str:
        return examine(observation) or agrees(observation)

    return both
