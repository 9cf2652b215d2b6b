# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: exponent_doubled
#   token_and_position_embedding:
#     fails:
#       - texts shorter than max_length work
#     mistake: whole_table
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: pre_norm
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: pre_norm
#   warmup_schedule:
#     fails:
#       - it works inside a compiled training step
#     mistake: not_in_a_compiled_step
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    encoding = np.zeros((length, depth))
    for position in range(length):
        for i in range(0, depth, 2):
            encoding[position, i] = np.sin(position / 10000 ** (2 * i / depth))
            encoding[position, i + 1] = np.cos(position / 10000 ** (2 * i / depth))
    return encoding


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = tf.range(self.position_embedding.input_dim)
        return self.token_embedding(inputs) + self.position_embedding(positions)


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else mask[:, None, :]
        x = self.norm_1(inputs)
        x = inputs + self.dropout_1(self.attention(x, x, attention_mask=keys), training=training)
        y = self.contract(self.expand(self.norm_2(x)))
        return x + self.dropout_2(y, training=training)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        if step < self.warmup_steps:
            return self.d_model**-0.5 * step * self.warmup_steps**-1.5
        return self.d_model**-0.5 * step**-0.5
