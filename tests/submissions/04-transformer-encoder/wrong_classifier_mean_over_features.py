# ---
# expected:
#   build_transformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: mean_over_features
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
    x = layers.Dropout(rate)(ops.mean(x, axis=2))
    outputs = layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)
