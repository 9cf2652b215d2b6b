# %% grade_id="positional_encoding"
import math

import keras
import numpy as np
import tensorflow as tf
from keras import layers


def positional_encoding(length, depth):
    table = []
    for position in range(length):
        row = []
        for i in range(depth):
            angle = position / 10000 ** ((i - i % 2) / depth)
            row.append(math.cos(angle) if i % 2 else math.sin(angle))
        table.append(row)
    return np.array(table, dtype="float32")


# %% grade_id="token_and_position_embedding"
import tensorflow as tf
from keras import layers


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.tokens = self.add_weight(shape=(vocabulary_size, embedding_dim), name="tokens")
        self.positions = self.add_weight(shape=(max_length, embedding_dim), name="positions")

    def call(self, inputs):
        length = tf.shape(inputs)[1]
        return tf.gather(self.tokens, inputs) + self.positions[tf.newaxis, :length]


# %% grade_id="encoder_layer"
import tensorflow as tf
from keras import layers


class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.num_heads = num_heads
        self.query = layers.Dense(embedding_dim)
        self.key = layers.Dense(embedding_dim)
        self.value = layers.Dense(embedding_dim)
        self.output_projection = layers.Dense(embedding_dim)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-3)
        self.ffn_1 = layers.Dense(ff_dim)
        self.ffn_2 = layers.Dense(embedding_dim)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-3)
        self.drop = layers.Dropout(rate)

    def split(self, x):
        batch, time = tf.shape(x)[0], tf.shape(x)[1]
        x = tf.reshape(x, (batch, time, self.num_heads, x.shape[-1] // self.num_heads))
        return tf.transpose(x, (0, 2, 1, 3))

    def call(self, inputs, mask=None, training=False):
        q, k, v = (
            self.split(self.query(inputs)),
            self.split(self.key(inputs)),
            self.split(self.value(inputs)),
        )
        scores = tf.einsum("bhqd,bhkd->bhqk", q, k) / tf.sqrt(tf.cast(tf.shape(q)[-1], tf.float32))
        if mask is not None:
            scores += (1 - tf.cast(mask, tf.float32))[:, None, None, :] * -1e9
        heads = tf.einsum("bhqk,bhkd->bqhd", tf.nn.softmax(scores), v)
        heads = tf.reshape(heads, tf.shape(inputs))
        x = self.norm_1(inputs + self.drop(self.output_projection(heads), training=training))
        hidden = tf.nn.relu(self.ffn_1(x))
        return self.norm_2(x + self.drop(self.ffn_2(hidden), training=training))


# %% grade_id="warmup_schedule"
import keras
import tensorflow as tf


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, "float32")
        climbing = step * self.warmup_steps**-1.5
        falling = tf.maximum(step, 1.0) ** -0.5
        return self.d_model**-0.5 * tf.where(step < self.warmup_steps, climbing, falling)


# %% grade_id="build_transformer_classifier"
import keras
import tensorflow as tf
from keras import layers


class MaskedMean(layers.Layer):
    def call(self, x, ids):
        keep = tf.cast(ids != 0, x.dtype)[:, :, None]
        return tf.reduce_sum(x * keep, axis=1) / tf.reduce_sum(keep, axis=1)


class NotPadding(layers.Layer):
    def call(self, ids):
        return ids != 0


def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = layers.Input(shape=(max_length,), dtype="int64")
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=NotPadding()(ids))
    x = layers.Dropout(rate)(MaskedMean()(x, ids))
    x = layers.Dense(num_classes)(x)
    return keras.Model(inputs=ids, outputs=layers.Softmax()(x))
