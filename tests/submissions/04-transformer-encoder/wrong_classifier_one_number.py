# ---
# expected:
#   build_transformer_classifier:
#     fails:
#       - there is one row of num_classes numbers per text
#       - each row is a distribution
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: one_number_always
#   warmup_schedule:
#     fails:
#       - it works inside a compiled training step
#     mistake: not_in_a_compiled_step
# ---

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
    sizes = max_length, vocabulary_size, embedding_dim
    x = TokenAndPositionEmbedding(*sizes)(inputs)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    outputs = layers.Dense(1, activation="sigmoid")(x)
    return keras.Model(inputs, outputs)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        step = ops.cast(step, "float32")
        climbing = step * self.warmup_steps**-1.5
        rate = self.d_model**-0.5 * np.minimum(step**-0.5, climbing)
        return rate
