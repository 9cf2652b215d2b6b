# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: only_cosines
#   token_and_position_embedding:
#     fails:
#       - texts shorter than max_length work
#     mistake: positions_from_the_end
#   warmup_schedule:
#     fails:
#       - step 0 gives 0
#     mistake: never_zero
# ---

# %% grade_id="positional_encoding"
import numpy as np


def positional_encoding(length, depth):
    positions = np.arange(length)[:, None]
    frequencies = 10000.0 ** (-np.arange(0, depth, 2) / depth)
    return np.cos(positions * np.repeat(frequencies, 2))


# %% grade_id="token_and_position_embedding"
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)

    def call(self, inputs):
        rows = self.position_embedding.input_dim
        positions = ops.arange(rows - ops.shape(inputs)[1], rows)
        return self.token_embedding(inputs) + self.position_embedding(positions)


# %% grade_id="warmup_schedule"
import keras
from keras import ops


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = ops.cast(step, "float32")
        step = ops.maximum(step, 1.0)
        return self.d_model**-0.5 * ops.minimum(step**-0.5, step * self.warmup_steps**-1.5)
