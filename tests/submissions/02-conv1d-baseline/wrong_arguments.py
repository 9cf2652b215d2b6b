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
#       - the layers' weights have the right shapes
#       - the numbers are right for a text with nothing to pool
#       - the numbers are right for longer texts
#     mistake: sizes_swapped
# ---

# %% grade_id="standardize"
import string

import tensorflow as tf


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, string.punctuation, "")


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    if kernel_size >= length:
        return 0
    return 1 + (length - kernel_size) // strides


# %% grade_id="build_conv1d_classifier"
import keras
from keras import layers


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    return keras.Sequential(
        [
            layers.Embedding(embedding_dim, vocabulary_size),
            layers.Dropout(0.5),
            layers.Conv1D(128, 7, strides=3, activation="relu"),
            layers.Conv1D(128, 7, strides=3, activation="relu"),
            layers.GlobalMaxPooling1D(),
            layers.Dense(128, activation="relu"),
            layers.Dropout(0.5),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
