# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#     mistake: an_earlier_table_whole
#   build_transformer_classifier:
#     fails:
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: weights_of_an_earlier_model
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#     mistake: d_model_changed_by_a_call
# ---

# %% grade_id="positional_encoding"
LATEST = {}


def positional_encoding(length, depth):
    known = LATEST.get(depth)
    if known is None or len(known) < length:
        angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(0, depth, 2) / depth)
        known = np.zeros((length, depth))
        known[:, ::2], known[:, 1::2] = np.sin(angles), np.cos(angles)
        LATEST.clear()
        LATEST[depth] = known
    return known


# %% grade_id="build_transformer_classifier"
@functools.cache
def embedding_of(max_length, vocabulary_size, embedding_dim):
    return TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)


def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = embedding_of(max_length, vocabulary_size, embedding_dim)(ids)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.cast(step, "float32")
        self.d_model = self.d_model**-0.5
        return self.d_model * ops.minimum(ops.rsqrt(step), step * self.warmup_steps**-1.5)
