# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: rounded_negative_logarithm
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: padding_left_out
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: sizes_swapped
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    positions = np.arange(length)[:, None]
    frequencies = np.exp(np.arange(0, depth, 2) * (-np.log(10000.0) // depth))
    encoding = np.zeros((length, depth))
    encoding[:, 0::2] = np.sin(positions * frequencies)
    encoding[:, 1::2] = np.cos(positions * frequencies)
    return encoding


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = ops.arange(ops.shape(inputs)[1])
        output = self.token_embedding(inputs) + self.position_embedding(positions)
        return output * ops.cast(ops.not_equal(inputs, 0), "float32")[:, :, None]


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.cast(step, "float32")
        climbing = step * self.d_model**-1.5
        return self.warmup_steps**-0.5 * ops.minimum(ops.rsqrt(step), climbing)
