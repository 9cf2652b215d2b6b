"""Keras layers that the lessons use and do not ask for."""

from __future__ import annotations

from typing import Any

import keras


class WordDropout(keras.layers.Layer):
    """Replace random words by "unknown" while training, so that a model leans on no single word.

    Padding (id 0) stays padding.

    Args:
        rate: the share of words that are replaced, 0 to 1.
        seed: of the random choice.

    Call arguments:
        inputs: word ids, integers (batch, length).
        training: whether words are replaced; otherwise the ids pass unchanged.

    Returns:
        Word ids, integers (batch, length).

    Example:
        >>> ids = keras.ops.convert_to_tensor([[5, 9, 0]])
        >>> WordDropout(0.5)(ids, training=False).numpy().tolist()
        [[5, 9, 0]]

    Reference: Iyyer et al., "Deep Unordered Composition Rivals Syntactic Methods for Text
    Classification" (2015), section 3.1; here a dropped word leaves its place marked.
    """

    UNKNOWN = 1
    """The id that ``TextVectorization`` gives to words out of its vocabulary."""

    def __init__(self, rate: float, seed: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        if not 0 <= rate <= 1:
            raise ValueError(f"rate must be between 0 and 1. Received: rate={rate}")
        self.rate = rate
        self.seed = seed
        self.generator = keras.random.SeedGenerator(seed)

    def call(self, inputs: Any, training: bool = False) -> Any:
        if not training:
            return inputs
        drawn = keras.random.uniform(keras.ops.shape(inputs), seed=self.generator)
        dropped = keras.ops.logical_and(drawn < self.rate, inputs != 0)
        return keras.ops.where(dropped, self.UNKNOWN, inputs)

    def get_config(self) -> dict[str, Any]:
        return super().get_config() | {"rate": self.rate, "seed": self.seed}
