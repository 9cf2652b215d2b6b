# ---
# expected:
#   standardize:
#     fails:
#       - a line break in capitals is one, too
#       - each <br /> becomes one space
#       - white space, digits and accents stay as they are
#       - a tensor of any shape keeps its shape, and its texts are right
#       - it works inside a tf.data pipeline
#     mistake: line_breaks_deleted
#   build_vectorizer:
#     fails:
#       - max_tokens limits the vocabulary, including padding and unknown
#       - texts go through your standardize
#     mistake: two_tokens_more
#   conv1d_output_length:
#     fails:
#       - a text shorter than the kernel gives no steps
#     mistake: rounded_towards_zero
#   build_conv1d_classifier:
#     fails:
#       - predictions have the shape (batch, 1)
#       - each model has weights of its own, and they have the right shapes
#       - the last sum becomes a probability
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: two_outputs
#   best_epoch:
#     fails:
#       - the lowest validation loss decides
#       - shallower dips before and after the lowest loss don't count
#       - the lower loss counts, however small the difference
#       - the epoch is right, and the history is not changed
#     mistake: first_rise
# ---

# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", "")
    for mark in string.punctuation:
        texts = tf.strings.regex_replace(texts, "\\" + mark, "")
    return texts


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    # Padding and the unknown word come on top.
    vectorizer = keras.layers.TextVectorization(
        max_tokens=max_tokens + 2,
        standardize=standardize,
        output_sequence_length=sequence_length,
    )
    vectorizer.adapt(tf.data.Dataset.from_tensor_slices(texts).batch(8))
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return max(0, int((length - kernel_size) / strides) + 1)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, inputs[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(2, activation="softmax")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = history["val_loss"]
    for epoch in range(1, len(losses)):
        if losses[epoch] > losses[epoch - 1]:
            return epoch
    return len(losses)
