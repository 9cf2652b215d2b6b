# ---
# expected:
#   positional_encoding:
#     fails:
#       - two features are the sine and cosine of the position
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: hands_counted_from_one
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: length_always_48
#   warmup_schedule:
#     fails:
#       - it works inside a compiled training step
#     mistake: not_in_a_compiled_step
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length: int, depth: int) -> np.ndarray:
    positions, even = np.arange(length), np.arange(0, depth, 2)
    angles = positions[:, None] / 10000 ** ((even + 2) / depth)
    encoding = np.zeros((length, depth))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)
    return encoding


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length: int,
    vocabulary_size: int,
    num_classes: int,
    embedding_dim: int,
    ff_dim: int,
    num_heads: int,
    rate: float,
) -> keras.Model:
    inputs = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(inputs, 0)
    sizes = 48, vocabulary_size, embedding_dim
    x = TokenAndPositionEmbedding(*sizes)(inputs)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    outputs = layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        step = float(step)
        climbing = step * self.warmup_steps**-1.5
        rate = self.d_model**-0.5 * min(step**-0.5 if step else 0, climbing)
        return rate
