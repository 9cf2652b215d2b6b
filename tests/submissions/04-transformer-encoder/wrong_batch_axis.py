# ---
# expected:
#   positional_encoding:
#     fails: everything
#     mistake: batch_axis
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: ff_dim_ignored
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - it works inside a compiled training step
#     mistake: power_of_minus_a_half
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    encoding = np.zeros((1, length, depth))
    for i in range(0, depth, 2):
        angles = np.arange(length) / 10000 ** (i / depth)
        encoding[0, :, i], encoding[0, :, i + 1] = np.sin(angles), np.cos(angles)
    return encoding


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    encoder = EncoderLayer(embedding_dim, embedding_dim, num_heads=num_heads, rate=rate)
    x = layers.GlobalAveragePooling1D()(encoder(x, mask=mask), mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.cast(step, "float32")
        falling, climbing = step**-0.5, step * self.warmup_steps**-0.5
        return self.d_model**-0.5 * ops.minimum(falling, climbing)
