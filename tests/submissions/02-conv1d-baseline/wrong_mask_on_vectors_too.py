# ---
# expected:
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#     mistake: words_zeroed_as_well
# ---

# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = x * ops.cast(ids != 0, "float32")[..., None]
    x = layers.Dropout(0.5)(x)
    for _ in range(2):
        x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dropout(0.5)(layers.Dense(128, activation="relu")(x))
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))
