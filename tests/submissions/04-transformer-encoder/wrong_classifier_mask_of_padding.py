# ---
# expected:
#   build_transformer_classifier:
#     fails:
#       - each row is a distribution
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#       - in training, the mean's features are dropped at the given rate
#     mistake: mask_of_padding
# ---

# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    inputs = keras.Input((max_length,), dtype="int32")
    mask = ops.equal(inputs, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(inputs)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(inputs, layers.Dense(num_classes, activation="softmax")(x))
