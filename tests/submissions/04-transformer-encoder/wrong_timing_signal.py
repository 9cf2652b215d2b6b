# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: halves and exponents_up_to_one
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
#     mistake: batch_normalisation
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#   warmup_schedule:
#     fails:
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: falls_with_the_step
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    # As in the timing signal of an older library.
    position = tf.range(length, dtype=tf.float32)
    timescales = depth // 2
    increment = math.log(10000.0) / max(timescales - 1, 1)
    inverse = tf.exp(tf.range(timescales, dtype=tf.float32) * -increment)
    scaled = position[:, tf.newaxis] * inverse[tf.newaxis, :]
    return tf.concat([tf.sin(scaled), tf.cos(scaled)], axis=1)


# %% grade_id="encoder_layer"
class EncoderLayer(layers.Layer):
    def __init__(self, embedding_dim, ff_dim, num_heads, rate):
        super().__init__()
        self.attention = layers.MultiHeadAttention(num_heads, embedding_dim // num_heads)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.BatchNormalization()
        self.expand = layers.Dense(ff_dim, activation="relu")
        self.contract = layers.Dense(embedding_dim)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.BatchNormalization()

    def call(self, inputs, mask=None, training=None):
        if mask is not None:
            mask = mask[:, None, :]
        attended = self.attention(inputs, inputs, attention_mask=mask)
        attended = self.dropout_1(attended, training=training)
        x = self.norm_1(inputs + attended, training=training)
        network = self.dropout_2(self.contract(self.expand(x)), training=training)
        return self.norm_2(x + network, training=training)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        peak = self.d_model**-0.5
        rising = peak * step * self.warmup_steps**-1.5
        decaying = peak / step
        return tf.cond(step < self.warmup_steps, lambda: rising, lambda: decaying)
