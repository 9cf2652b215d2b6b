# ---
# expected:
#   positional_encoding:
#     fails:
#       - thousands of positions work, too
#     mistake: positions_in_half_precision
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#     mistake: last_row_never_used
#   encoder_layer:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_of_the_first_text
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#     mistake: cube_overflows
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    positions = np.float64(np.arange(length).astype("float16"))
    encoding = np.empty((length, depth))
    for column in range(0, depth, 2):
        angles = positions * 10000 ** (-column / depth)
        encoding[:, column] = np.sin(angles)
        encoding[:, column + 1] = np.cos(angles)
    return encoding


# %% grade_id="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)
        self.last = max_length - 2

    def call(self, inputs):
        length = ops.shape(inputs)[1]
        positions = ops.clip(ops.arange(length), 0, self.last)
        return self.position_embedding(positions) + self.token_embedding(inputs)


# %% changes="encoder_layer"
class EncoderLayer(layers.Layer):
    def call(self, inputs, mask=None, training=None):
        if mask is not None:
            mask = mask[0][None, None, :]
        x = self.attention(inputs, inputs, attention_mask=mask)
        x = self.norm_1(inputs + self.dropout_1(x, training=training))
        y = self.contract(self.expand(x))
        return self.norm_2(x + self.dropout_2(y, training=training))


# %% grade_id="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = d_model
        self.warmup_steps = tf.constant(warmup_steps)

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        root = tf.sqrt(tf.cast(tf.pow(self.warmup_steps, 3), tf.float32))
        return tf.minimum(1 / tf.sqrt(step), step / root) / self.d_model**0.5
