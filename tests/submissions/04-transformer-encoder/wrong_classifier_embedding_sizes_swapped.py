# ---
# expected:
#   positional_encoding:
#     fails:
#       - position 0 is 0, 1, 0, 1, ...
#       - all frequencies are right
#       - thousands of positions work, too
#     mistake: sines_divided
#   build_transformer_classifier:
#     fails:
#       - there is one row of num_classes numbers per text
#       - each row is a distribution
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: ids_looked_up_among_positions
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: power_of_d_model_halved
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length: int, depth: int) -> np.ndarray:
    positions, even = np.arange(length), np.arange(0, depth, 2)
    angles = positions[:, None] / 10000 ** (even / depth)
    encoding = np.zeros((length, depth))
    encoding[:, 0::2] = np.sin(positions)[:, None] / 10000 ** (even / depth)
    encoding[:, 1::2] = np.cos(positions)[:, None] / 10000 ** (even / depth)
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
    sizes = vocabulary_size, max_length, embedding_dim
    x = TokenAndPositionEmbedding(*sizes)(inputs)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    outputs = layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        step = ops.cast(step, "float32")
        climbing = step * self.warmup_steps**-1.5
        rate = self.d_model**-1 / 2 * ops.minimum(ops.rsqrt(step), climbing)
        return rate
