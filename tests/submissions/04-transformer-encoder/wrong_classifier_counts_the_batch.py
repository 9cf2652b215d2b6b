# ---
# expected:
#   build_transformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: attention and the mean both ignore it"
#       - in training, the mean's features are dropped at the given rate
#     mistake: counted_in_the_batch
# ---

# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    words = ids != 0
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=words)
    weights = ops.cast(words, x.dtype)
    x = ops.einsum("bt,btd->bd", weights, x) / ops.sum(weights)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
