"""The encoder while it is trained: as lesson 04 has it, with an output for every blank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
from keras import layers, ops


@dataclass(frozen=True)
class Sizes:
    """How large an encoder is.

    Args:
        vocabulary: rows of the embedding, which is also the output's matrix.
        length: positions.
        features: of a word, d_model.
        heads: of every attention.
        hidden: units of every feed-forward network.
        layers: how many lie on top of each other.
    """

    vocabulary: int = 10_000
    length: int = 64
    features: int = 128
    heads: int = 4
    hidden: int = 512
    layers: int = 3


class _Bias(layers.Layer):
    """Adds a vector: Keras' attention has all of its biases or none."""

    def build(self, shape: tuple[int | None, ...]) -> None:
        self.bias = self.add_weight((shape[-1],), initializer="zeros", name="bias")

    def call(self, inputs: Any) -> Any:
        return inputs + self.bias


class _Layer(layers.Layer):
    """Attention and a feed-forward network, each with a residual connection and a norm after it."""

    def __init__(self, sizes: Sizes, rate: float) -> None:
        super().__init__()
        depth = sizes.features // sizes.heads
        self.attention = layers.MultiHeadAttention(sizes.heads, depth, use_bias=False, dropout=rate)
        self.bias = _Bias()
        self.expand = layers.Dense(sizes.hidden, activation="relu")
        self.contract = layers.Dense(sizes.features)
        self.norms = [layers.LayerNormalization(epsilon=1e-6) for _ in range(2)]
        self.drops = [layers.Dropout(rate) for _ in range(2)]

    def call(self, x: Any, keys: Any, training: bool = False) -> Any:
        attended = self.bias(self.attention(x, x, attention_mask=keys, training=training))
        x = self.norms[0](x + self.drops[0](attended, training=training))
        network = self.contract(self.expand(x))
        return self.norms[1](x + self.drops[1](network, training=training))

    def named(self) -> dict[str, np.ndarray]:
        """The weights under the names that lessons 03 and 04 give them."""
        attention, features = self.attention, self.bias.bias.shape[0]
        matrix = (features, features)
        return {
            "attention.query_linear.kernel": np.reshape(attention.query_dense.kernel, matrix),
            "attention.key_linear.kernel": np.reshape(attention.key_dense.kernel, matrix),
            "attention.value_linear.kernel": np.reshape(attention.value_dense.kernel, matrix),
            "attention.output_linear.kernel": np.reshape(attention.output_dense.kernel, matrix),
            "attention.output_linear.bias": np.array(self.bias.bias),
            "norm_1.gamma": np.array(self.norms[0].gamma),
            "norm_1.beta": np.array(self.norms[0].beta),
            "expand.kernel": np.array(self.expand.kernel),
            "expand.bias": np.array(self.expand.bias),
            "contract.kernel": np.array(self.contract.kernel),
            "contract.bias": np.array(self.contract.bias),
            "norm_2.gamma": np.array(self.norms[1].gamma),
            "norm_2.beta": np.array(self.norms[1].beta),
        }


class Network(keras.Model):
    """From ids to scores of all words at some positions.

    Args:
        sizes: how large it is.
        rate: of every dropout.
    """

    def __init__(self, sizes: Sizes, rate: float) -> None:
        super().__init__()
        start = keras.initializers.RandomNormal(stddev=0.05)
        self.token_embedding = layers.Embedding(
            sizes.vocabulary, sizes.features, embeddings_initializer=start
        )
        self.position_embedding = layers.Embedding(
            sizes.length, sizes.features, embeddings_initializer=start
        )
        self.drop = layers.Dropout(rate)
        self.encoder_layers = [_Layer(sizes, rate) for _ in range(sizes.layers)]
        self.scores_bias = self.add_weight((sizes.vocabulary,), initializer="zeros", name="scores")

    def call(self, ids: Any, places: Any, training: bool = False) -> Any:
        """Score every word.

        Args:
            ids: (batch, time); 0 is padding.
            places: positions in the flattened ids, (blanks,).
            training: whether to drop.

        Returns:
            Scores before the softmax, (blanks, vocabulary).
        """
        keys = ops.not_equal(ids, 0)[:, None, :]
        positions = ops.arange(ops.shape(ids)[1])
        x = self.token_embedding(ids) + self.position_embedding(positions)
        x = self.drop(x, training=training)
        for layer in self.encoder_layers:
            x = layer(x, keys, training=training)
        chosen = ops.take(ops.reshape(x, (-1, ops.shape(x)[-1])), places, axis=0)
        table = ops.transpose(self.token_embedding.embeddings)
        return ops.matmul(chosen, table) + self.scores_bias

    def named(self) -> dict[str, np.ndarray]:
        """All weights, by the names under which they are shipped."""
        found = {
            "token_embedding.embeddings": np.array(self.token_embedding.embeddings),
            "position_embedding.embeddings": np.array(self.position_embedding.embeddings),
            "scores.bias": np.array(self.scores_bias),
        }
        for number, layer in enumerate(self.encoder_layers, 1):
            found |= {f"layer_{number}.{name}": value for name, value in layer.named().items()}
        return found
