# %% grade_id="positional_encoding"
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


def positional_encoding(length, depth):
    angles = ops.arange(length, dtype="float32")[:, None] * ops.power(
        10000.0, -ops.arange(0, depth, 2, dtype="float32") / depth
    )
    return ops.reshape(ops.stack([ops.sin(angles), ops.cos(angles)], axis=-1), (length, depth))


# %% grade_id="token_and_position_embedding"
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)

    def call(self, inputs):
        positions = ops.zeros_like(inputs) + ops.arange(inputs.shape[1], dtype=inputs.dtype)
        return layers.add([self.token_embedding(inputs), self.position_embedding(positions)])


# %% grade_id="encoder_layer"
import keras
from keras import layers


class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(
            num_heads=num_heads, key_dim=embedding_dim // num_heads, dropout=rate
        )
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.ffn = keras.Sequential(
            [layers.Dense(ff_dim, activation="relu"), layers.Dense(embedding_dim)]
        )
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout = layers.Dropout(rate)
        self.expand, self.contract = self.ffn.layers

    def call(self, inputs, mask=None, training=None):
        padding = mask[:, None, None, :] if mask is not None else None
        attended = self.attention(
            query=inputs, value=inputs, attention_mask=padding, training=training
        )
        x = self.norm_1(layers.add([inputs, self.dropout(attended, training=training)]))
        return self.norm_2(layers.add([x, self.dropout(self.ffn(x), training=training)]))


# %% grade_id="warmup_schedule"
import keras
from keras import ops


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model, self.warmup_steps = d_model, warmup_steps

    def __call__(self, step):
        step = ops.cast(step, "float32")
        slower = ops.minimum(1.0, step / self.warmup_steps)
        return slower / ops.sqrt(self.d_model * ops.maximum(step, float(self.warmup_steps)))

    def get_config(self):
        return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}


# %% grade_id="build_transformer_classifier"
import keras
from keras import layers


class Classifier(keras.Model):
    def __init__(
        self, max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
    ):
        super().__init__()
        self.embedding = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)
        self.encoder = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)
        self.pool = layers.GlobalAveragePooling1D()
        self.dropout = layers.Dropout(rate)
        self.classify = layers.Dense(num_classes, activation="softmax")

    def call(self, ids, training=None):
        mask = ids != 0
        x = self.encoder(self.embedding(ids), mask=mask, training=training)
        return self.classify(self.dropout(self.pool(x, mask=mask), training=training))


def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    return Classifier(
        max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
    )
