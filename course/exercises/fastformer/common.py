"""What exercises about fastformer share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from selfcheck.drawing import normal
from selfcheck.exercise import Case

# --- kinds of input ------------------------------------------------------------------------------


def some(cases: Sequence[Case], holds: Callable[[Mapping[str, Any]], Any]) -> bool:
    """Whether something holds of the inputs of at least one case."""
    return any(bool(holds(case.inputs)) for case in cases)


def masked(inputs: Mapping[str, Any], holds: Callable[[np.ndarray], Any]) -> bool:
    """Whether a case has a mask, of which something holds."""
    return inputs["mask"] is not None and bool(holds(inputs["mask"]))


# --- the layer -----------------------------------------------------------------------------------

WEIGHTS = {
    "query_linear.kernel": "query_kernel",
    "key_linear.kernel": "key_kernel",
    "value_linear.kernel": "value_kernel",
    "query_score.kernel": "query_score_kernel",
    "key_score.kernel": "key_score_kernel",
    "output_linear.kernel": "output_kernel",
    "output_linear.bias": "output_bias",
}
"""Where the layer keeps what the cases call by these names, in order of creation."""


def layer_weights(
    random: np.random.RandomState, width: int, size: int, heads: int
) -> dict[str, np.ndarray]:
    """A layer's weights for inputs of ``width`` features: projections stay at their scale."""
    drawn = {
        f"{role}_kernel": normal(random, width, size) / np.float32(np.sqrt(width))
        for role in ("query", "key", "value")
    }
    for role in ("query", "key"):
        # Scores of about 1, so that pooling is far from a plain mean.
        drawn[f"{role}_score_kernel"] = normal(random, size, heads)
    return drawn | {
        "output_kernel": normal(random, size, size) / np.float32(np.sqrt(size)),
        "output_bias": normal(random, size) / np.float32(4),
    }


def zeros(inputs: Mapping[str, Any], *names: str) -> dict[str, np.ndarray]:
    """Zeros in place of the named inputs."""
    return {name: np.zeros_like(inputs[name]) for name in names}
