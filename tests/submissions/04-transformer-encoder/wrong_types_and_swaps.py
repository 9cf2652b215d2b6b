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
def positional_encoding(length, depth):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, depth, 2) / depth)
    encoding = np.zeros((length, depth))
    encoding[:, 0::2] = np.cos(angles)
    encoding[:, 1::2] = np.sin(angles)
    return encoding


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = self.position_embedding(tf.range(tf.shape(inputs)[1]))
        return self.token_embedding(inputs) * positions


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else mask[:, None, :]
        x = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(inputs + self.dropout_1(x, training=training))
        y = self.contract(self.expand(inputs))
        return self.norm_2(x + self.dropout_2(y, training=training))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return self.d_model**-0.5 * tf.minimum(tf.math.rsqrt(step), step * self.warmup_steps**-1.5)
