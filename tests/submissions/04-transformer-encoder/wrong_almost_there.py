# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: integer_division
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#       - texts shorter than max_length work
#     mistake: positions_twice
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
#     mistake: no_second_residual and mask_inverted
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#   warmup_schedule:
#     fails:
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: stays_at_the_top
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    i = ops.arange(0, depth, 2)
    frequency = 1.0 / ops.power(10000.0, ops.cast(i // depth, "float32"))
    angle = ops.cast(ops.arange(length), "float32")[:, None] * frequency[None, :]
    pair = ops.stack([ops.sin(angle), ops.cos(angle)], axis=2)
    return ops.reshape(pair, (length, depth))


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        positions = self.position_embedding(ops.arange(ops.shape(inputs)[1]))
        output = self.token_embedding(inputs) + positions
        output += positions
        return output


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        padding_mask = None
        if mask is not None:
            # 1 marks what must not be looked at
            padding_mask = tf.cast(tf.math.equal(mask, False), tf.int32)[:, tf.newaxis, :]
        out = self.attention(inputs, inputs, attention_mask=padding_mask)
        out = self.norm_1(layers.add([inputs, self.dropout_1(out, training=training)]))
        out = self.contract(self.expand(out))
        out = self.dropout_2(out, training=training)
        return self.norm_2(out)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        share = tf.minimum(tf.cast(step, tf.float32) / self.warmup_steps, 1.0)
        return share / (self.d_model * self.warmup_steps) ** 0.5
