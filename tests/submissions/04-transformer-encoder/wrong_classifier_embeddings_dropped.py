# ---
# expected:
#   build_transformer_classifier:
#     fails:
#       - with rate 0, nothing is dropped in training; else the encoder drops, too, and nothing else
#     mistake: embeddings_dropped
# ---

# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(rate)(x)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
