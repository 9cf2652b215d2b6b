# ---
# expected:
#   standardize:
#     fails: everything
#     relation: exception
#   build_vectorizer:
#     fails: everything
#     relation: exception
#   conv1d_output_length:
#     fails:
#       - a text as long as the kernel gives one step
#     mistake: exact_fit_refused
#   build_conv1d_classifier:
#     fails:
#       - predictions have the shape (batch, 1)
#       - texts may be of any length
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: sizes_swapped
# ---

# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, string.punctuation, "")


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    if kernel_size >= length:
        return 0
    return 1 + (length - kernel_size) // strides


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(embedding_dim, vocabulary_size)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))
