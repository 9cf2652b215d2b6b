# ---
# expected:
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#     mistake: layers_of_another_model
# ---

# %% grade_id="build_conv1d_classifier"
HEAD = [
    layers.Dense(128, activation="relu"),
    layers.Dropout(0.5),
    layers.Dense(1, activation="sigmoid"),
]


def build_conv1d_classifier(
    vocabulary_size: int,
    embedding_dim: int,
) -> keras.Model:
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    for layer in HEAD:
        x = layer(x)
    model = keras.Model(ids, x)
    return model
