# ---
# expected:
#   standardize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#       - other punctuation is removed as well
#       - a backslash is punctuation, too
#       - a tensor of any shape keeps its shape, and its texts are right
#       - it works inside a tf.data pipeline
#     mistake: punctuation_kept
#   build_vectorizer:
#     fails: everything
#     relation: wrong_return
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - a text shorter than the kernel gives no steps
#     mistake: strides_ignored
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: one_convolution
#   best_epoch:
#     fails: everything
#     relation: exception
# ---

# %% grade_id="standardize"
def standardize(texts):
    return tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    return layers.TextVectorization(
        max_tokens=max_tokens, standardize=standardize, output_sequence_length=sequence_length
    )


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return length - kernel_size + 1


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-6:3] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = history.history["val_loss"]
    return losses.index(min(losses)) + 1
