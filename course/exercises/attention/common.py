"""What exercises about attention share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from selfcheck.exercise import Case

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


def exponential_is(value: float) -> Callable[[np.ndarray], bool]:
    """Whether all scores of some sample have one exponential in float32, such as infinity."""

    def holds(scores: np.ndarray) -> bool:
        with np.errstate(over="ignore"):
            powers = np.exp(scores.astype(np.float32)).reshape(len(scores), -1)
        return bool((powers == value).all(axis=1).any())

    return holds


def any_mask(holds: Callable[[np.ndarray], bool]) -> Callable[[Sequence[Case]], bool]:
    """Whether a mask is of some kind."""

    def some_case(cases: Sequence[Case]) -> bool:
        masks = [case.inputs["mask"] for case in cases]
        return any(holds(mask) for mask in masks if mask is not None)

    return some_case
