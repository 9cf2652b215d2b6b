# ---
# expected:
#   standardize:
#     fails:
#       - other punctuation is removed as well
#     mistake: all_tags_replaced
#   build_vectorizer:
#     fails:
#       - texts go through your standardize
#     mistake: new_texts_standardized_by_default
#   conv1d_output_length:
#     fails:
#       - the result is an int
#     mistake: a_float
#   build_conv1d_classifier:
#     fails:
#       - half is dropped in training, each number on its own
#     mistake: dropout_after_each_convolution
#   best_epoch:
#     fails:
#       - shallower dips before and after the lowest loss don't count
#       - if epochs tie, the first one counts
#     mistake: last_dip
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<[^>]+>", " ")
    return tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, output_sequence_length=sequence_length
    )
    vectorizer.adapt(standardize(tf.constant(texts)))
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return np.maximum(np.floor((length - kernel_size) / strides) + 1, 0)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(ids)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    x = masked_max_pooling(x, ids[:, :-24:9] != 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = [float("inf"), *history["val_loss"], float("inf")]
    for epoch in range(len(losses) - 2, 0, -1):
        if losses[epoch - 1] > losses[epoch] < losses[epoch + 1]:
            return epoch
