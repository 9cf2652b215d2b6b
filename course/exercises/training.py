"""Layers that give the same numbers while training as while predicting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from selfcheck.aspects import Examine, equals
from selfcheck.exercise import Observation

SAME = "as while predicting"
OTHER = "other numbers than while predicting"
WHILE_TRAINING = SAME, OTHER
"""What comes out while training may be."""

_CALLS = 5
"""What is dropped with a small rate may be nothing once, but not so often."""


def while_training(attend: Callable[..., Any], output: Any) -> str:
    """What comes out of a layer while training.

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
