# ---
# expected:
#   positional_encoding:
#     fails:
#       - thousands of positions work, too
#     mistake: angles_added_up
#   build_transformer_classifier:
#     fails:
#       - 'padding changes nothing: attention and the mean both ignore it'
#     mistake: tokens_counted_for_the_mask
# ---

# %% grade_id="positional_encoding"
def positional_encoding(length, depth):
    step = np.float32(1 / 10000 ** (np.arange(0, depth, 2) / depth))
    angle = np.zeros_like(step)
    encoding = np.zeros((length, depth))
    for p in range(length):
        encoding[p, 0::2] = np.sin(angle, dtype=float)
        encoding[p, 1::2] = np.cos(angle, dtype=float)
        angle = angle + step
    return encoding


# %% grade_id="build_transformer_classifier"
def build_transformer_classifier(
    max_length, vocabulary_size, num_classes, embedding_dim, ff_dim, num_heads, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    tokens = ops.count_nonzero(ids, axis=1)
    mask = ops.less(ops.arange(max_length), ops.expand_dims(tokens, 1))
    x = TokenAndPositionEmbedding(max_length, vocabulary_size, embedding_dim)(ids)
    x = EncoderLayer(embedding_dim, ff_dim, num_heads, rate)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
