# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: sine_and_cosine_swapped
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: multiplied
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: network_reads_the_inputs
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: token_times_position and network_reads_the_inputs
#   warmup_schedule:
#     fails:
#       - there is one rate per step
#       - the rate climbs linearly
#       - step 0 gives 0
#       - it works inside a compiled training step
#     mistake: whole_numbers
# ---

# %% grade_id="positional_encoding"
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


def positional_encoding(length, depth):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, depth, 2) / depth)
    encoding = np.zeros((length, depth))
    encoding[:, 0::2] = np.cos(angles)
    encoding[:, 1::2] = np.sin(angles)
    return encoding


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
        positions = self.position_embedding(tf.range(tf.shape(inputs)[1]))
        return self.token_embedding(inputs) * positions


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
        keys = None if mask is None else mask[:, None, :]
        x = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(x, training=training))
        y = self.contract(self.expand(inputs))
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
        return self.d_model**-0.5 * tf.minimum(tf.math.rsqrt(step), step * self.warmup_steps**-1.5)
