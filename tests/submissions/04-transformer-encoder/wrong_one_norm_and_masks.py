# ---
# expected:
#   positional_encoding:
#     fails:
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: one_frequency_a_column
#   token_and_position_embedding:
#     fails: everything
#     mistake: positions_from_one
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_ignored
#   build_transformer_classifier:
#     fails: everything
#     relation: exception
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - step 0 gives 0
#       - it works inside a compiled training step
#     mistake: maximum
# ---

# %% grade_id="positional_encoding"
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


def positional_encoding(length, depth):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(depth) / depth)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles


# %% grade_id="token_and_position_embedding"
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)

    def call(self, inputs):
        positions = tf.range(1, tf.shape(inputs)[1] + 1)
        return self.token_embedding(inputs) + self.position_embedding(positions)


# %% grade_id="encoder_layer"
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


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
        x = self.norm_1(inputs + self.dropout_1(self.attention(inputs, inputs), training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))


# %% grade_id="warmup_schedule"
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return self.d_model**-0.5 * tf.maximum(step**-0.5, step * self.warmup_steps**-1.5)
