# ---
# expected:
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#     mistake: full_windows_only
# ---

# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, 24::9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))
