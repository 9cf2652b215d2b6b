# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#     mistake: squeezed
#   token_and_position_embedding:
#     fails:
#       - nothing is masked or dropped, both tables are learned, and a model can hold the layer
#     mistake: mask_handed_on
#   encoder_layer:
#     fails:
#       - both together are right
#       - the attention half is right when the feed-forward network adds nothing
#     mistake: mask_guessed_from_zeros
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: calls_counted_from_zero
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    exponents = tf.range(0, depth, 2, dtype=tf.float64) / depth
    angles = tf.range(length, dtype=tf.float64)[:, None] / 10000.0**exponents
    pairs = tf.stack([tf.sin(angles), tf.cos(angles)], axis=-1)
    return tf.squeeze(tf.reshape(pairs, (length, depth)))


# %% grade_id="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim, mask_zero=True)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)
        self.supports_masking = True

    def compute_mask(self, inputs, mask=None):
        return self.token_embedding.compute_mask(inputs)

    def call(self, inputs):
        positions = self.position_embedding(ops.arange(ops.shape(inputs)[1]))
        return self.token_embedding(inputs) + positions


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        if mask is None:
            mask = tf.reduce_sum(tf.abs(inputs), axis=2) > 0
        x = self.attention(inputs, inputs, attention_mask=mask[:, tf.newaxis])
        x = self.norm_1(inputs + self.dropout_1(x, training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))


# %% grade_id="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        self.number = -1

    def __call__(self, step):
        self.number += 1
        step = ops.convert_to_tensor(self.number, "float32")
        return self.d_model**-0.5 * ops.minimum(step**-0.5, step * self.warmup_steps**-1.5)
