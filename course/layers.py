"""Keras layers that the lessons use and do not ask for."""

from __future__ import annotations

import math
from typing import Any

import keras
import numpy as np


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


class WordsAndPositions(keras.layers.Layer):
    """Learned vectors of words, times the root of their width, plus a given table of positions.

    Args:
        vocabulary_size: how many words.
        positions: the table's initial values (time, features).
        trained: whether training changes the table.

    Call arguments:
        inputs: word ids, integers (batch, time).

    Returns:
        Vectors (batch, time, features).

    Example:
        >>> layer = WordsAndPositions(9, np.zeros((2, 4)), trained=False)
        >>> layer(keras.ops.convert_to_tensor([[5, 7]])).shape
        TensorShape([1, 2, 4])

    Reference: Vaswani et al., "Attention Is All You Need" (2017), sections 3.4 and 3.5.
    """

    def __init__(
        self, vocabulary_size: int, positions: np.ndarray, *, trained: bool, **options: Any
    ) -> None:
        super().__init__(**options)
        positions = np.asarray(positions, "float32")
        self.words = keras.layers.Embedding(vocabulary_size, positions.shape[1])
        self.factor = math.sqrt(positions.shape[1])
        self.positions = self.add_weight(
            shape=positions.shape,
            initializer=keras.initializers.Constant(positions),
            trainable=trained,
        )

    def call(self, inputs: Any) -> Any:
        return self.words(inputs) * self.factor + self.positions


class PreNormEncoderLayer(keras.layers.Layer):
    """An encoder layer whose parts get normalised inputs; their sums are left alone.

    Args:
        embedding_dim: features of a token, d_model.
        ff_dim: hidden units of the feed-forward network.
        num_heads: heads of the attention, a divisor of embedding_dim.
        rate: of both dropouts, 0 to 1.

    Call arguments:
        inputs: token vectors (batch, time, embedding_dim).
        mask: padding mask, True for tokens (batch, time), or None.
        training: whether to drop.

    Returns:
        Token vectors (batch, time, embedding_dim).

    Reference: Xiong et al., "On Layer Normalization in the Transformer Architecture" (2020),
    table 1.
    """

    def __init__(
        self, embedding_dim: int, ff_dim: int, num_heads: int, rate: float, **options: Any
    ) -> None:
        super().__init__(**options)
        self.sizes = {"embedding_dim": embedding_dim, "ff_dim": ff_dim, "num_heads": num_heads}
        self.rate = rate
        self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.attention = keras.layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.dropout_1 = keras.layers.Dropout(rate)
        self.norm_2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.expand = keras.layers.Dense(ff_dim, activation="relu")
        self.contract = keras.layers.Dense(embedding_dim)
        self.dropout_2 = keras.layers.Dropout(rate)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None, training: bool | None = None) -> Any:
        normal = self.norm_1(inputs)
        may_see = None if mask is None else keras.ops.expand_dims(mask, 1)
        found = self.attention(normal, normal, attention_mask=may_see)
        between = inputs + self.dropout_1(found, training=training)
        network = self.contract(self.expand(self.norm_2(between)))
        return between + self.dropout_2(network, training=training)

    def get_config(self) -> dict[str, Any]:
        return super().get_config() | self.sizes | {"rate": self.rate}


class FullAttention(keras.layers.Layer):
    """Attention with a weight for each pair of tokens, and nothing around it.

    Args:
        num_heads: H.
        size_per_head: d, the features of a head.

    Call arguments:
        inputs: the sequence (batch, time, any).
        mask: boolean, True for a token, False for padding (batch, time).

    Returns:
        The sequence, as wide as the inputs (batch, time, any).

    Reference: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.
    """

    def __init__(self, num_heads: int, size_per_head: int, **options: Any) -> None:
        super().__init__(**options)
        self.attention = keras.layers.MultiHeadAttention(num_heads, size_per_head)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any) -> Any:
        return self.attention(inputs, inputs, attention_mask=mask[:, None, :])


class ChunkedAttention(FullAttention):
    """Attention in which each token looks at the tokens of its own chunk.

    Args:
        num_heads: H.
        size_per_head: d, the features of a head.
        chunk: tokens per chunk; the last one is filled up with padding.

    Call arguments:
        inputs: the sequence (batch, time, any).
        mask: boolean, True for a token, False for padding (batch, time).

    Returns:
        The sequence, as wide as the inputs (batch, time, any).
    """

    def __init__(self, num_heads: int, size_per_head: int, chunk: int, **options: Any) -> None:
        super().__init__(num_heads, size_per_head, **options)
        self.chunk = chunk

    def call(self, inputs: Any, mask: Any) -> Any:
        ops = keras.ops
        texts, tokens = ops.shape(mask)
        missing = -tokens % self.chunk
        inputs = ops.pad(inputs, [(0, 0), (0, missing), (0, 0)])
        mask = ops.pad(mask, [(0, 0), (0, missing)])
        pieces = ops.reshape(inputs, (-1, self.chunk, inputs.shape[-1]))
        attended = super().call(pieces, ops.reshape(mask, (-1, self.chunk)))
        whole = ops.reshape(attended, (texts, tokens + missing, inputs.shape[-1]))
        return whole[:, :tokens]
