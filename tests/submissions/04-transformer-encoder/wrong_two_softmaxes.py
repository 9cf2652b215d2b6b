# ---
# expected:
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: attention and the mean both ignore it"
#     mistake: softmax_twice
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
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(inputs)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    x = layers.Dense(num_classes, activation="softmax")(x)
    outputs = layers.Softmax()(x)
    return keras.Model(inputs, outputs)
