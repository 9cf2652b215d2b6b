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
def positional_encoding(length, depth):
    positions = np.arange(length)[:, None]
    frequencies = 10000.0 ** (-np.arange(0, depth, 2) / depth)
    return np.cos(positions * np.repeat(frequencies, 2))


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        rows = self.position_embedding.input_dim
        positions = ops.arange(rows - ops.shape(inputs)[1], rows)
        return self.token_embedding(inputs) + self.position_embedding(positions)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.cast(step, "float32")
        step = ops.maximum(step, 1.0)
        return self.d_model**-0.5 * ops.minimum(step**-0.5, step * self.warmup_steps**-1.5)
