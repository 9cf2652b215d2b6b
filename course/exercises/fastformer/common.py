"""What exercises about fastformer share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course.exercises.transformer.common import SCALE
from selfcheck.sampling import normal

# --- the layer and the block ---------------------------------------------------------------------

WEIGHTS = {
    "query_linear.kernel": "query_kernel",
    "key_linear.kernel": "key_kernel",
    "query_score.kernel": "query_score_kernel",
    "key_score.kernel": "key_score_kernel",
    "output_linear.kernel": "output_kernel",
}
"""Where the layer keeps what the cases call by these names, in order of creation."""

BLOCK_WEIGHTS = {
    **{f"fastformer.{path}": name for path, name in WEIGHTS.items()},
    "norm_1.gamma": "gamma_1",
    "norm_1.beta": "beta_1",
    "expand.kernel": "expand_kernel",
    "expand.bias": "expand_bias",
    "contract.kernel": "contract_kernel",
    "contract.bias": "contract_bias",
    "norm_2.gamma": "gamma_2",
    "norm_2.beta": "beta_2",
}
"""The same of the block."""


def layer_weights(
    random: np.random.RandomState, width: int, size: int, heads: int
) -> dict[str, np.ndarray]:
    """A layer's weights for inputs of ``width`` features: projections stay at their scale."""
    drawn = {
        f"{role}_kernel": normal(random, width, size) / np.float32(np.sqrt(width))
        for role in ("query", "key")
    }
    for role in ("query", "key"):
        # Scores of about 1, so that pooling is far from a plain mean.
        drawn[f"{role}_score_kernel"] = normal(random, size, heads)
    return drawn | {"output_kernel": normal(random, size, size) / np.float32(np.sqrt(size))}


def block_weights(
    random: np.random.RandomState, size: int, heads: int, ff_dim: int
) -> dict[str, np.ndarray]:
    """A block's weights for inputs of the scale ``SCALE``: sums before the norms are of it, but
    scores, and what the network's activation takes, stay near 1."""
    drawn = layer_weights(random, size, size, heads)
    for role in ("query", "key"):
        drawn[f"{role}_kernel"] /= SCALE
    drawn["output_kernel"] *= SCALE
    for place in "12":
        drawn[f"gamma_{place}"] = 1 + normal(random, size) / np.float32(4)
        drawn[f"beta_{place}"] = normal(random, size) / np.float32(4)
    root, wide = np.float32(np.sqrt(size)), np.float32(np.sqrt(ff_dim))
    return drawn | {
        "expand_kernel": normal(random, size, ff_dim) / root,
        "expand_bias": normal(random, ff_dim) / np.float32(4),
        "contract_kernel": SCALE * normal(random, ff_dim, size) / wide,
        "contract_bias": SCALE * normal(random, size) / np.float32(4),
    }


def zeros(inputs: Mapping[str, Any], *names: str) -> dict[str, np.ndarray]:
    """Zeros in place of the named inputs."""
    return {name: np.zeros_like(inputs[name]) for name in names}
