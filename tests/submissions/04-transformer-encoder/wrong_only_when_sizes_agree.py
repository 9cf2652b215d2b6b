# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#     mistake: turned_over_by_its_size
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#     mistake: square_mask_read_otherwise
#   warmup_schedule:
#     fails:
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: falls_from_the_end_of_the_warm_up
# ---

# %% grade_id="positional_encoding"
import numpy as np


def positional_encoding(length, depth):
    frequencies = 10000.0 ** -(np.arange(0, depth, 2) / depth)
    angles = frequencies[:, None] * np.arange(length)
    if len(angles) != length:
        angles = np.swapaxes(angles, 0, 1)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, depth)


# %% grade_id="encoder_layer"
import tensorflow as tf
from keras import layers


class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)

    def call(self, inputs, mask=None, training=None):
        visible = mask
        if mask is not None and mask.shape[0] != mask.shape[1]:
            visible = tf.expand_dims(mask, axis=1)
        mixed = self.attention(inputs, inputs, attention_mask=visible)
        x = self.norm_1(inputs + self.dropout_1(mixed, training=training))
        return self.norm_2(x + self.dropout_2(self.contract(self.expand(x)), training=training))


# %% grade_id="warmup_schedule"
import keras
import tensorflow as tf


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        since = tf.maximum(step - self.warmup_steps, 1.0)
        climbing = step * self.warmup_steps**-1.5
        return self.d_model**-0.5 * tf.minimum(climbing, tf.math.rsqrt(since))
