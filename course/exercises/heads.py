"""Layers whose features are split into heads."""

from __future__ import annotations

from typing import Any

import numpy as np

from selfcheck.exercise import Case, Exercise
from selfcheck.texts import say


class LayerWithHeads(Exercise):
    """Explanations can speak of the depth of a head."""

    def sizes(self, case: Case) -> dict[str, int]:
        """The sizes in a case, and the depth of a head."""
        named = super().sizes(case)
        width = named["hidden_size"] if "hidden_size" in named else named["embedding_dim"]
        return {**named, say("the depth of a head"): width // named["num_heads"]}


def set_output_bias(layer: Any, values: np.ndarray) -> None:
    """Set the bias of ``output_linear``, or of the last map of a layer whose maps have other names.

    A bias is initially 0, so a missing one would go unnoticed.

    Args:
        layer: a built layer.
        values: (hidden_size,).
    """
    if hasattr(layer, "output_linear"):
        bias = getattr(layer.output_linear, "bias", None)
    else:
        biases = [one for one in layer.trainable_weights if tuple(one.shape) == values.shape]
        bias = biases[-1] if biases else None
    if bias is not None:
        bias.assign(values)
