# %% grade_id="standardize"
import string

import tensorflow as tf

MARKS = "|".join("\\" + mark for mark in string.punctuation)


def standardize(texts):
    # Line breaks are put aside as a character that no review has.
    texts = tf.strings.regex_replace(texts, "(?i)<br />", "\x00")
    texts = tf.strings.regex_replace(texts, MARKS, "")
    return tf.strings.lower(tf.strings.regex_replace(texts, "\x00", " "))


# %% grade_id="build_vectorizer"
import collections

import keras


def build_vectorizer(texts, max_tokens, sequence_length):
    words = collections.Counter()
    for text in texts:
        words.update(standardize(text).numpy().decode().split())
    frequent = [word for word, _ in words.most_common(max_tokens - 2)]
    return keras.layers.TextVectorization(
        vocabulary=frequent, standardize=standardize, output_sequence_length=sequence_length
    )


# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    size = kernel.shape[0]
    windows = [x[:, t : t + size] for t in range(0, x.shape[1] - size + 1, strides)]
    return tf.einsum("btkd,kdf->btf", tf.stack(windows, axis=1), kernel) + bias


# %% grade_id="conv1d_output_length"
import numpy as np


def conv1d_output_length(length, kernel_size, strides):
    return int(max(0, np.floor((length - kernel_size) / strides) + 1))


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    words = 1
    for kernel_size, stride in zip(kernel_sizes[::-1], strides[::-1]):
        words = (words - 1) * stride + kernel_size
    return words


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    mask = keras.ops.expand_dims(mask, -1)
    low = keras.ops.where(mask, x, float("-inf"))
    return keras.ops.where(keras.ops.any(mask, axis=1), keras.ops.max(low, axis=1), 0)


# %% grade_id="build_conv1d_classifier"
from keras import ops


class Convolution(keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(7, shape[-1], 128), initializer="glorot_uniform")
        self.b = self.add_weight(shape=(128,), initializer="zeros")

    def call(self, x):
        windows = ops.stack([x[:, j : ops.shape(x)[1] - 6 + j : 3] for j in range(7)], axis=2)
        return ops.relu(ops.einsum("btkd,kdf->btf", windows, self.w) + self.b)


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    class Classifier(keras.Model):
        def __init__(self):
            super().__init__()
            self.table = keras.layers.Embedding(vocabulary_size, embedding_dim)
            self.convolutions = [Convolution(), Convolution()]
            self.hidden = keras.layers.Dense(128, activation="relu")
            self.out = keras.layers.Dense(1, activation="sigmoid")
            self.dropouts = [keras.layers.Dropout(0.5), keras.layers.Dropout(0.5)]

        def call(self, ids, training=False):
            x = self.dropouts[0](self.table(ids), training=training)
            x = self.convolutions[1](self.convolutions[0](x))
            begins = ids[:, ::9][:, : ops.shape(x)[1]]
            x = self.hidden(masked_max_pooling(x, ops.greater(begins, 0)))
            return self.out(self.dropouts[1](x, training=training))

    return Classifier()


# %% grade_id="best_epoch"
def best_epoch(history):
    return 1 + history["val_loss"].index(min(history["val_loss"]))
