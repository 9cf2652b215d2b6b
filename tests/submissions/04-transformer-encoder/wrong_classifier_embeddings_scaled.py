# ---
# expected:
#   build_transformer_classifier:
#     fails: everything
#     mistake: embeddings_scaled
#   warmup_schedule:
#     fails:
#       - the rate climbs linearly
#       - then it falls with the square root of the step
#       - it works inside a compiled training step
#     mistake: falls_with_the_step_alone
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
    x = TokenAndPositionEmbedding(*sizes)(inputs) * embedding_dim**0.5
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    outputs = layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


# %% changes="warmup_schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step: tf.Tensor) -> tf.Tensor:
        step = ops.cast(step, "float32")
        climbing = step * self.warmup_steps**-1.5
        rate = self.d_model**-0.5 * ops.minimum(1 / step, climbing)
        return rate
