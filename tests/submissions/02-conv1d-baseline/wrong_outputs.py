# ---
# expected:
#   standardize: {points: 1, mistake: punctuation_to_spaces}
#   build_vectorizer: {points: 2.55, mistake: vocabulary_not_limited}
#   conv1d_output_length: {points: 0.8, mistake: fewer_than_none}
#   build_conv1d_classifier: {points: 2.2, mistake: no_sigmoid}
#   best_epoch: {points: 0.1, mistake: highest_loss}
# ---

# %% grade_id="standardize"
import re
import string

import tensorflow as tf


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, f"[{re.escape(string.punctuation)}]", " ")


# %% grade_id="build_vectorizer"
from keras import layers


def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        standardize=standardize, output_sequence_length=sequence_length
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d_output_length"
import numpy as np


def conv1d_output_length(length, kernel_size, strides):
    return int(np.floor((length - kernel_size) / strides)) + 1


# %% grade_id="build_conv1d_classifier"
import keras


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    model = keras.Sequential(
        [
            keras.Input((None,)),
            layers.Embedding(vocabulary_size, embedding_dim),
            layers.Dropout(0.5),
            layers.Conv1D(128, 7, strides=3, activation="relu"),
            layers.Conv1D(128, 7, strides=3, activation="relu"),
            layers.GlobalMaxPooling1D(),
            layers.Dense(128, activation="relu"),
            layers.Dropout(0.5),
            layers.Dense(1),
        ]
    )
    model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


# %% grade_id="best_epoch"
def best_epoch(history):
    losses = history["val_loss"]
    return losses.index(max(losses)) + 1
