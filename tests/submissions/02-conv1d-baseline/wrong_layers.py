# ---
# expected:
#   standardize:
#     fails:
#       - apostrophes and hyphens are removed without splitting words
#       - other punctuation is removed as well
#       - a backslash is punctuation, too
#       - a tensor of any shape keeps its shape, and its texts are right
#     mistake: sentence_marks_only
#   build_vectorizer:
#     fails:
#       - the vocabulary is padding, unknown, then words by frequency
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: word_pairs
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a last window that just fits is counted
#       - a text as long as the kernel gives one step
#     mistake: one_added_too_early
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: average_pooling
#   best_epoch:
#     fails:
#       - the epoch is right, and the history is not changed
#       - the lowest validation loss decides
#       - shallower dips before and after the lowest loss don't count
#       - if epochs tie, the first one counts
#       - the lower loss counts, however small the difference
#       - the first epoch can be the best
#     mistake: training_data
# ---

# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, "[.,!?]", "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens, standardize, ngrams=2, output_sequence_length=sequence_length
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return max((length - kernel_size + 1) // strides, 0)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,))
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    some = ops.cast(inputs[:, :-24:9] != 0, "float32")[..., None]
    x = ops.sum(x * some, axis=1) / ops.maximum(ops.sum(some, axis=1), 1.0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    return history["loss"].index(min(history["loss"])) + 1
