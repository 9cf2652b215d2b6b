# %% grade_id="positional_encoding"
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


def positional_encoding(length, depth):
    positions = np.arange(length)[:, np.newaxis]
    rates = np.exp(-np.log(10000.0) * np.arange(0, depth, 2) / depth)
    encoding = np.zeros((length, depth))
    encoding[:, 0::2] = np.sin(positions * rates)
    encoding[:, 1::2] = np.cos(positions * rates)
    return tf.cast(encoding, tf.float32)


# %% grade_id="token_and_position_embedding"
import keras
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim, **kwargs):
        super().__init__(**kwargs)
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)

    def call(self, inputs):
        positions = ops.arange(ops.shape(inputs)[-1])
        return self.token_embedding(inputs) + self.position_embedding(positions)


# %% grade_id="encoder_layer"
import keras
from keras import layers, ops


class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)

    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else ops.expand_dims(mask, 1)
        attended = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(attended, training=training))
        network = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(network, training=training))


# %% grade_id="warmup_schedule"
import keras
import tensorflow as tf


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        super().__init__()
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(
            tf.math.rsqrt(step), step * self.warmup_steps**-1.5
        )


# %% grade_id="build_transformer_classifier"
import keras
from keras import layers, ops


def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    inputs = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(inputs, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(inputs)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(inputs, layers.Dense(num_classes, activation="softmax")(x))
