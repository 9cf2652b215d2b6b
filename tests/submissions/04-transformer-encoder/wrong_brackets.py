# ---
# expected:
#   positional_encoding:
#     fails:
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: power_divided_by_depth_overflows
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: hidden_layer_of_20
#   warmup_schedule:
#     fails: everything
#     mistake: one_rate_in_an_array
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    encoding = np.zeros((length, depth))
    for p in range(length):
        for i in range(depth // 2):
            encoding[p, 2 * i] = np.sin(p / (10000.0 ** (2 * i) / depth))
            encoding[p, 2 * i + 1] = np.cos(p / (10000.0 ** (2 * i) / depth))
    return encoding


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    x = layers.Dense(20, activation="relu")(x)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        step = ops.reshape(ops.cast(step, "float32"), (1,))
        return self.d_model**-0.5 * ops.minimum(step**-0.5, step * self.warmup_steps**-1.5)
