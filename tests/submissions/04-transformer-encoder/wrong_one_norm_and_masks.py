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
def positional_encoding(length, depth):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(depth) / depth)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = tf.range(1, tf.shape(inputs)[1] + 1)
        return self.token_embedding(inputs) + self.position_embedding(positions)


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        x = self.norm_1(inputs + self.dropout_1(self.attention(inputs, inputs), training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return self.d_model**-0.5 * tf.maximum(step**-0.5, step * self.warmup_steps**-1.5)
