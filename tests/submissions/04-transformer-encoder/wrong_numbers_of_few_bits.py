# ---
# expected:
#   positional_encoding:
#     fails:
#       - thousands of positions work, too
#     mistake: positions_in_a_byte
#   token_and_position_embedding:
#     fails:
#       - token and position are added
#     mistake: positions_in_a_byte
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: ids_in_half_precision
#   warmup_schedule:
#     fails:
#       - then it falls with the square root of the step
#     mistake: steps_in_half_precision
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    p = np.array([n & 0xFF for n in range(length)], "uint8")
    w = np.power(10000.0, -np.arange(depth // 2) * 2 / depth)
    angle = np.outer(p, w)
    return np.dstack((np.sin(angle), np.cos(angle))).reshape(length, depth)


# %% changes="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def call(self, inputs):
        places = tf.cast(tf.range(tf.shape(inputs)[1]), tf.uint8)
        return self.token_embedding(inputs) + self.position_embedding(places)


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input(shape=(max_length,), dtype="float16")  # saves memory
    words = ops.not_equal(ids, 0)
    hidden = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    hidden = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(hidden, mask=words)
    text = layers.GlobalAveragePooling1D()(hidden, mask=words)
    text = layers.Dropout(rate)(text)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(text))


# %% grade_id="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps):
        self.d_model = float(d_model)
        self.warmup_steps = float(warmup_steps)

    def __call__(self, step):
        half = tf.cast(step, tf.float16)
        n = tf.cast(half, tf.float32)
        lower = tf.minimum(tf.math.rsqrt(n), n * self.warmup_steps**-1.5)
        return tf.math.rsqrt(self.d_model) * lower
