# %% grade_id="standardize"
import re
import string

import tensorflow as tf


def standardize(texts):
    texts = tf.strings.lower(texts)
    texts = tf.strings.regex_replace(texts, "<br />", " ")
    return tf.strings.regex_replace(texts, "[%s]" % re.escape(string.punctuation), "")


# %% grade_id="build_vectorizer"
import keras
from keras import layers


def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = layers.TextVectorization(
        standardize=standardize,
        max_tokens=max_tokens,
        output_mode="int",
        output_sequence_length=sequence_length,
    )
    vectorizer.adapt(texts)
    return vectorizer


# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    layer = layers.Conv1D(kernel.shape[2], kernel.shape[0], strides=strides)
    layer.build(x.shape)
    layer.set_weights([np.array(kernel), np.array(bias)])
    return layer(x)


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    if length < kernel_size:
        return 0
    return (length - kernel_size) // strides + 1


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    # Words at the two ends of what the last layer's first step sees.
    first, last = 0, 0
    for kernel_size, stride in reversed(list(zip(kernel_sizes, strides))):
        first, last = first * stride, last * stride + kernel_size - 1
    return last - first + 1


# %% grade_id="masked_max_pooling"
from keras import ops


def masked_max_pooling(x, mask):
    kept = ops.where(mask[:, :, None], x, -1e6)
    pooled = layers.GlobalMaxPooling1D()(kept)
    return pooled * ops.cast(ops.any(mask, axis=1, keepdims=True), pooled.dtype)


# %% grade_id="build_conv1d_classifier"
def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input(shape=(None,), dtype="int64")
    words = keras.ops.cast(inputs > 0, "float32")[..., None]
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(0.5)(x)
    x = layers.Conv1D(128, 7, padding="valid", activation="relu", strides=3)(x)
    x = layers.Conv1D(128, 7, padding="valid", activation="relu", strides=3)(x)
    words = layers.MaxPooling1D(7, strides=3)(words)
    words = layers.MaxPooling1D(7, strides=3)(words)
    x = masked_max_pooling(x, words[..., 0] > 0)
    x = layers.Dense(128, activation="relu")(x)
    x = layers.Dropout(0.5)(x)
    outputs = layers.Dense(1, activation="sigmoid", name="predictions")(x)
    model = keras.Model(inputs, outputs)
    model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


# %% grade_id="best_epoch"
import numpy as np


def best_epoch(history):
    return np.argmin(history["val_loss"]) + 1
