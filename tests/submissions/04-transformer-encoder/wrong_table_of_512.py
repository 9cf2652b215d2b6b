# ---
# expected:
#   positional_encoding:
#     fails:
#       - thousands of positions work, too
#     mistake: table_of_512
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: two_encoders
#   warmup_schedule:
#     fails:
#       - step 0 gives 0
#     mistake: nan_at_the_start
# ---

# %% grade_id="positional_encoding"
TABLES = {}


def positional_encoding(length, depth):
    if depth not in TABLES:
        positions = np.arange(512).reshape(-1, 1)
        angles = positions * np.exp(-np.log(10000) * np.arange(0, depth, 2) / depth)
        TABLES[depth] = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(512, depth)
    return TABLES[depth][:length]


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    for _ in range(2):
        x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.cast(step, "float32")
        return (self.d_model * step) ** -0.5 * ops.minimum(1.0, (step / self.warmup_steps) ** 1.5)
