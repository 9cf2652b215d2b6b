"""What exercises about transformer share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from selfcheck.sampling import normal

ENCODER_WEIGHTS = {
    "attention.query_dense.kernel": "query_kernel",
    "attention.query_dense.bias": "query_bias",
    "attention.key_dense.kernel": "key_kernel",
    "attention.key_dense.bias": "key_bias",
    "attention.value_dense.kernel": "value_kernel",
    "attention.value_dense.bias": "value_bias",
    "attention.output_dense.kernel": "output_kernel",
    "attention.output_dense.bias": "output_bias",
    "norm_1.gamma": "gamma_1",
    "norm_1.beta": "beta_1",
    "expand.kernel": "expand_kernel",
    "expand.bias": "expand_bias",
    "contract.kernel": "contract_kernel",
    "contract.bias": "contract_bias",
    "norm_2.gamma": "gamma_2",
    "norm_2.beta": "beta_2",
}
"""Where an encoder layer keeps what the cases call by these names, in order of creation."""


SCALE = np.float32(100)
"""Of what goes into each norm: its epsilon, 1e-6 or Keras' 1e-3, then drowns in the variance."""


def encoder_weights(random: np.random.RandomState, size: int, ff_dim: int) -> dict[str, Any]:
    """Weights for inputs of this scale: sums before the norms are of it, but logits, and what the
    network's activation takes, stay near 1, where a smooth activation differs from relu."""
    root, wide = np.float32(np.sqrt(size)), np.float32(np.sqrt(ff_dim))
    drawn = {
        f"{role}_kernel": normal(random, size, size) / root
        for role in ("query", "key", "value", "output")
    }
    for role in ("query", "key"):
        drawn[f"{role}_kernel"] /= SCALE
        drawn[f"{role}_bias"] = normal(random, size) / np.float32(4)
    for role in ("value", "output"):
        drawn[f"{role}_bias"] = SCALE * normal(random, size) / np.float32(4)
    for place in "12":
        drawn[f"gamma_{place}"] = 1 + normal(random, size) / np.float32(4)
        drawn[f"beta_{place}"] = normal(random, size) / np.float32(4)
    return drawn | {
        "expand_kernel": normal(random, size, ff_dim) / root,
        "expand_bias": normal(random, ff_dim) / np.float32(4),
        "contract_kernel": SCALE * normal(random, ff_dim, size) / wide,
        "contract_bias": SCALE * normal(random, size) / np.float32(4),
    }


def at_scale(drawn: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: SCALE * drawn[name] for name in names}


def named(inputs: Mapping[str, Any], prefix: str = "") -> dict[str, np.ndarray]:
    return {f"{prefix}{path}": inputs[name] for path, name in ENCODER_WEIGHTS.items()}
