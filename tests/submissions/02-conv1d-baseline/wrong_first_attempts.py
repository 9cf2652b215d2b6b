# ---
# expected:
#   standardize: {points: 1.1, mistake: line_breaks_left}
#   build_vectorizer: {points: 2.7, mistake: default_standardization}
#   conv1d_output_length: {points: 0.1, mistake: first_step_forgotten}
#   build_conv1d_classifier: {points: 2.6, mistake: strides_missing}
#   best_epoch: {points: 0.1, mistake: counted_from_zero}
# ---

# %% grade_id="standardize"
import re
import string

import tensorflow as tf


def standardize(texts):
    texts = tf.strings.lower(texts)
    texts = tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")
    return tf.strings.regex_replace(texts, "<br />", " ")


# %% grade_id="build_vectorizer"
from keras import layers


def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        max_tokens=max_tokens, output_mode="int", output_sequence_length=sequence_length
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return (length - kernel_size) // strides


# %% grade_id="build_conv1d_classifier"
import keras


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,))
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, activation="relu")(x)
    x = layers.Conv1D(128, 7, activation="relu")(x)
    x = layers.GlobalMaxPooling1D()(x)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


# %% grade_id="best_epoch"
import numpy as np


def best_epoch(history):
    return np.argmin(history["val_loss"])
