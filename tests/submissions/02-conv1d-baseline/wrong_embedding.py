# ---
# expected:
#   build_vectorizer:
#     fails: everything
#     mistake: sizes_swapped
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: one_row_more
# ---

# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=sequence_length, standardize=standardize, output_sequence_length=max_tokens
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size + 1, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
