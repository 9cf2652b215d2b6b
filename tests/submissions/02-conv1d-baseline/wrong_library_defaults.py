# ---
# expected:
#   standardize:
#     fails:
#       - a backslash is punctuation, too
#     mistake: backslash_left
#   build_vectorizer:
#     fails:
#       - ids has the shape (texts, sequence_length)
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: no_sequence_length
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#       - a text shorter than the kernel gives no steps
#       - the result is an int
#     mistake: not_rounded
#   build_conv1d_classifier:
#     fails:
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: padded_convolutions
#   best_epoch:
#     fails:
#       - the epoch is right, and the history is not changed
#       - the lowest validation loss decides
#       - shallower dips before and after the lowest loss don't count
#       - if epochs tie, the first one counts
#       - the lower loss counts, however small the difference
#       - the first epoch can be the best
#       - the last epoch can be the best
#     mistake: validation_accuracy
# ---

# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, "[" + string.punctuation + "]", "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = keras.layers.TextVectorization(max_tokens, standardize)
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return (length - kernel_size) / strides + 1


# %% grade_id="build_conv1d_classifier"
from keras.layers import Conv1D, Dense, Dropout, Embedding


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = keras.Input((None,))
    x = Dropout(0.5)(Embedding(vocabulary_size, embedding_dim)(ids))
    x = Conv1D(128, 7, strides=3, padding="same", activation="relu")(x)
    x = Conv1D(128, 7, strides=3, padding="same", activation="relu")(x)
    x = masked_max_pooling(x, ids[:, ::9] != 0)
    x = Dropout(0.5)(Dense(128, activation="relu")(x))
    return keras.Model(ids, Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    return int(np.argmax(history["val_accuracy"])) + 1
