# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#     mistake: turned_over_by_its_size
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#     mistake: square_mask_read_otherwise
#   warmup_schedule:
#     fails:
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: falls_from_the_end_of_the_warm_up
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    frequencies = 10000.0 ** -(np.arange(0, depth, 2) / depth)
    angles = frequencies[:, None] * np.arange(length)
    if len(angles) != length:
        angles = np.swapaxes(angles, 0, 1)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, depth)


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        visible = mask
        if mask is not None and mask.shape[0] != mask.shape[1]:
            visible = tf.expand_dims(mask, axis=1)
        mixed = self.attention(inputs, inputs, attention_mask=visible)
        x = self.norm_1(inputs + self.dropout_1(mixed, training=training))
        return self.norm_2(x + self.dropout_2(self.contract(self.expand(x)), training=training))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        since = tf.maximum(step - self.warmup_steps, 1.0)
        climbing = step * self.warmup_steps**-1.5
        return self.d_model**-0.5 * tf.minimum(climbing, tf.math.rsqrt(since))
