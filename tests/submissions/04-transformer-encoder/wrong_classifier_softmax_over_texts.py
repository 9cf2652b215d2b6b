# ---
# expected:
#   build_transformer_classifier:
#     fails:
#       - each row is a distribution
#       - the probabilities are right
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: softmax_over_texts
# ---

# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    return keras.Model(ids, ops.softmax(layers.Dense(num_classes)(x), axis=0))
