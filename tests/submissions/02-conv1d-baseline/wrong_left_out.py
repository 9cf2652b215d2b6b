# ---
# expected:
#   standardize:
#     fails:
#       - white space, digits and accents stay as they are
#     mistake: white_space_around_line_breaks
#   build_vectorizer:
#     fails:
#       - the vocabulary is padding, unknown, then words by frequency
#       - words have their ids, padding is 0
#       - unknown words get id 1
#       - texts that are too long are truncated
#       - texts go through your standardize
#       - all texts count, however many
#     mistake: words_that_occur_once_left_out
#   conv1d_output_length:
#     fails:
#       - incomplete windows are left out
#     mistake: pieces_as_long_as_the_strides
#   build_conv1d_classifier:
#     fails:
#       - each model has weights of its own, and they have the right shapes
#       - half is dropped in training, each number on its own
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#       - windows of nothing but padding aren't pooled
#       - a text of padding alone has a prediction, too
#     mistake: frozen_embedding
#   best_epoch:
#     fails:
#       - the first epoch can be the best
#     mistake: first_epoch_left_out
# ---

# %% grade_id="standardize"
import re


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), r"\s*<br />\s*", " ")
    return tf.strings.regex_replace(texts, "[" + re.escape(string.punctuation) + "]", "")


# %% grade_id="build_vectorizer"
from collections import Counter


def build_vectorizer(texts, max_tokens, sequence_length):
    words = " ".join(text.decode() for text in standardize(tf.constant(texts)).numpy()).split()
    often = [word for word, count in Counter(words).most_common() if count >= 2]
    return layers.TextVectorization(
        max_tokens=max_tokens,
        standardize=standardize,
        output_sequence_length=sequence_length,
        vocabulary=often[: max_tokens - 2],
    )


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    if kernel_size <= strides:
        return length // strides
    return max(0, (length - kernel_size) // strides + 1)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    table = layers.Embedding(vocabulary_size, embedding_dim)
    table.trainable = False
    ids = keras.Input((None,), dtype="int32")
    x = layers.Dropout(0.5)(table(ids))
    for _ in range(2):
        x = layers.Conv1D(128, 7, strides=3, activation="relu")(x)
    x = masked_max_pooling(x, ids[:, :-24:9] > 0)
    x = layers.Dropout(0.5)(layers.Dense(128, activation="relu")(x))
    return keras.Model(ids, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
def best_epoch(history):
    best, lowest = 1, float("inf")
    for epoch, loss in enumerate(history["val_loss"], start=1):
        if epoch > 1 and loss < lowest:
            best, lowest = epoch, loss
    return best
