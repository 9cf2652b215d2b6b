# ---
# expected:
#   token_and_position_embedding:
#     fails: everything
#     relation: nothing_returned
#   encoder_layer:
#     fails:
#       - the feed-forward half is right when attention adds nothing
#       - the attention half is right when the feed-forward network adds nothing
#       - both together are right
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - in training, outputs of attention and of the network are dropped at the given rate
#     mistake: norm_before_the_first_sum
#   build_transformer_classifier:
#     fails: everything
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: no_d_model and never_falls
# ---

# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        length = ops.shape(inputs)[1]
        x = self.token_embedding(inputs)
        x = x + self.position_embedding(ops.arange(length))


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        if mask is None:
            attended = self.attention(inputs, inputs)
        else:
            attended = self.attention(inputs, inputs, attention_mask=mask[:, None, :])
        attended = self.dropout_1(self.norm_1(attended), training=training)
        out_1 = inputs + attended
        out_2 = self.dropout_2(self.contract(self.expand(out_1)), training=training)
        return self.norm_2(out_1 + out_2)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        arg1 = tf.math.sqrt(step)
        arg2 = step * (self.warmup_steps**-1.5)
        return tf.math.minimum(arg1, arg2)
