"""Tensors and weights for a student's layer or model, so that its outputs can be compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from selfcheck.sampling import normal
from selfcheck.texts import say


class WrongWeights(TypeError):
    """A student's layer has other weights than the task asks for."""


def tensor(array: np.ndarray | None) -> Any:
    """An array as the backend's tensor; None stays None, and has no mask."""
    import keras
    from keras.src.backend.common import global_state

    # Of a layer that returned None for a masked input, Keras keeps the mask as that of None. From
    # then on, every layer with an argument that is None would fail. There's no public door.
    masks = global_state.get_global_attribute("_keras_mask_dict") or {}
    masks.pop(id(None), None)
    return None if array is None else keras.ops.convert_to_tensor(array)


def assign(layer: Any, values: Mapping[str, np.ndarray]) -> None:
    """Set a built layer's trainable weights; those without a value become 0.

    Weights are found by the names of the sub-layers. A layer in which none of the names leads to a
    weight is given the values in the order in which its weights were created, which is how a model
    or a layer that solves the task with other sub-layers is filled.

    Args:
        layer: a built Keras layer or model.
        values: by attribute path from the layer, such as ``"query_linear.kernel"``, in order of
            creation. A weight of another shape with as many entries takes them reshaped.

    Raises:
        WrongWeights: when weights and values do not fit together.
    """
    named = {path: _weight_at(layer, path) for path in values}
    found = {path: weight for path, weight in named.items() if weight is not None}
    if not found:
        sizes = {value.size for value in values.values()}
        in_order = [weight for weight in layer.trainable_weights if _size(weight) in sizes]
        if len(in_order) != len(values):
            raise _misfit(layer, values)
        found = dict(zip(values, in_order, strict=True))
    if any(_size(weight) != values[path].size for path, weight in found.items()):
        raise _misfit(layer, values)
    for weight in layer.trainable_weights:
        weight.assign(np.zeros(weight.shape, np.float32))
    for path, weight in found.items():
        weight.assign(values[path].reshape(weight.shape))


def assign_or_fill(model: Any, values: Mapping[str, np.ndarray], ids: np.ndarray) -> bool:
    """Set a model's weights; if the values don't fit, all of them, also those that aren't trained,
    to other numbers, so that even then what the model computes can be compared.

    Args:
        model: a built Keras model.
        values: see ``assign``.
        ids: of the case; see ``filled``.

    Returns:
        Whether the values fit.
    """
    try:
        assign(model, values)
    except WrongWeights:
        for weight in model.weights:
            if "float" in str(weight.dtype):  # dropout has a seed
                weight.assign(filled(ids, tuple(weight.shape)))
        for layer in _layers_in(model):
            if hasattr(layer, "epsilon"):  # of a norm: people choose different ones
                layer.epsilon = 1e-6
        return False
    return True


def filled(ids: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The numbers of a weight of a model in which a case's weights have no place.

    They depend on nothing but the case's ids and how many there are: neither on a weight's name nor
    on its place, nor on whether heads have an axis of their own. They get smaller the more there
    are, so that sums of products stay near 1.
    """
    return _numbers(tuple(ids.ravel().tolist()), math.prod(shape)).reshape(shape)


@lru_cache(maxsize=256)
def _numbers(ids: tuple[int, ...], count: int) -> np.ndarray:
    """Cached because a judge runs tens of mistakes with the same weights."""
    numbers = normal(np.random.RandomState(ids), count) / np.float32(count**0.25)
    # Those that a model of 32 bits has, for solutions of 64.
    return numbers.astype(np.float64)


@contextmanager
def without_dropout(model: Any) -> Iterator[None]:
    """Nothing is dropped in the ``with`` block, not even by a model that always drops something."""
    rates = {layer: layer.rate for layer in _layers_in(model) if hasattr(layer, "rate")}
    try:
        for layer in rates:
            layer.rate = 0.0
        yield
    finally:
        for layer, rate in rates.items():
            layer.rate = rate


def _layers_in(model: Any) -> list[Any]:
    """A model and all layers in it. Keras has no public way to the layers inside a layer."""
    return model._flatten_layers()


def missing(layer: Any, names: Iterable[str]) -> list[str]:
    """Those of some attribute paths that lead to no weight of a built layer."""
    return [name for name in names if _weight_at(layer, name) is None]


def _weight_at(layer: Any, path: str) -> Any:
    """The weight at the end of an attribute path; None where the path ends, or before building."""
    try:
        return reduce(getattr, path.split("."), layer)
    except (AttributeError, ValueError):
        return None


def _size(weight: Any) -> int:
    return int(np.prod(weight.shape))


def _misfit(layer: Any, values: Mapping[str, np.ndarray]) -> WrongWeights:
    shapes = [tuple(weight.shape) for weight in layer.trainable_weights]
    expected = ", ".join(f"{path} {value.shape}" for path, value in values.items())
    return WrongWeights(
        say(
            "there are weights of shape {shapes}; expected {expected}, in that order",
            shapes=shapes,
            expected=expected,
        )
    )
