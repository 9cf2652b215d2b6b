# ---
# expected:
#   positional_encoding:
#     fails:
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: divided_by_32
#   token_and_position_embedding:
#     fails:
#       - texts shorter than max_length work
#     mistake: positions_go_on
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: heads_always_2
#   warmup_schedule:
#     fails:
#       - it works inside a compiled training step
#     mistake: at_most_a_twentieth
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    table = np.zeros((length, depth))
    i = np.arange(depth // 2)
    for p in range(length):
        table[p, ::2] = np.sin(p / 10000 ** (i / 16))
        table[p, 1::2] = np.cos(p / 10000 ** (i / 16))
    return table


# %% grade_id="token_and_position_embedding"
class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, max_length, vocabulary_size, embedding_dim):
        super().__init__()
        self.token_embedding = layers.Embedding(vocabulary_size, embedding_dim)
        self.position_embedding = layers.Embedding(max_length, embedding_dim)
        self.rows = max_length

    def call(self, inputs):
        places = tf.range(tf.size(inputs)) % self.rows
        places = tf.reshape(places, tf.shape(inputs))
        return self.token_embedding(inputs) + self.position_embedding(places)


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    # Right where it is used here.
    class Embedded(layers.Layer):
        def __init__(self):
            super().__init__()
            self.tokens = layers.Embedding(vocabulary_size, embedding_dim)
            self.positions = layers.Embedding(max_length, embedding_dim)

        def call(self, ids):
            return self.tokens(ids) + self.positions(ops.arange(max_length))

    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads=2, rate=rate)(Embedded()(ids), mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    return keras.Model(ids, layers.Dense(num_classes, "softmax")(x))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.cast(step, "float32")
        rate = ops.minimum(step**-0.5, step * self.warmup_steps**-1.5) / self.d_model**0.5
        return ops.clip(rate, 0.0, 0.05)
