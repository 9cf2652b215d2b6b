# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: halves
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: no_positions
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - in training, outputs of attention and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#     mistake: no_residuals
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: no_residuals and model_without_positions
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: no_d_model
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    positions = np.arange(length)[:, None]
    angles = positions / 10000 ** (np.arange(0, depth, 2) / depth)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        return self.token_embedding(inputs)


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        keys = None if mask is None else mask[:, None, :]
        x = self.attention(inputs, inputs, attention_mask=keys)
        x = self.norm_1(self.dropout_1(x, training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(self.dropout_2(y, training=training))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return tf.minimum(step**-0.5, step * self.warmup_steps**-1.5)
