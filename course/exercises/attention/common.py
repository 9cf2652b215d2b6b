"""What exercises about attention share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

LARGE = (30.0, 20.0)
"""A feature of all queries and of all keys. Their product raises every logit by 600 before scaling:
softmax does not change, but exp() overflows float32 unless it is computed stably."""


def set_first(array: np.ndarray, feature: float | np.ndarray) -> np.ndarray:
    """A copy whose first feature is the same everywhere, or in each sample."""
    changed = array.copy()
    changed[..., 0] = feature
    return changed


def large_kernels(inputs: Mapping[str, Any], depth: int) -> dict[str, np.ndarray]:
    """Kernels that give the first feature of every head's queries and keys one value, where the
    first feature of all tokens is 1."""
    changed = {}
    for role, feature in zip(("query", "key"), LARGE, strict=True):
        kernel = inputs[f"{role}_kernel"].copy()
        kernel[:, ::depth] = 0.0
        kernel[0, ::depth] = feature
        changed[f"{role}_kernel"] = kernel
    return changed


def padded_queries(mask: np.ndarray, size: int) -> dict[str, np.ndarray]:
    """Where right answers may differ: a padded token's own output is never used."""
    return {"output": np.repeat(~mask[:, :, None], size, axis=2)}
