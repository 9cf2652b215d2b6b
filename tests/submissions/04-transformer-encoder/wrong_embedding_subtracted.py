# ---
# expected:
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: subtracted
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - step 0 gives 0
#       - it works inside a compiled training step
#     mistake: bases_swapped
# ---

# %% grade_id="token_and_position_embedding"
from keras import layers, ops


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)
        self.supports_masking = True

    def call(self, inputs):
        positions = ops.arange(inputs.shape[1])
        return self.token_embedding(inputs) - self.position_embedding(positions)


# %% grade_id="warmup_schedule"
import keras
from keras import ops


class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = ops.cast(step, "float32")
        falling = step**-0.5
        climbing = self.warmup_steps * step**-1.5
        return self.d_model**-0.5 * ops.minimum(falling, climbing)
