# %% grade_id="standardize"
import tensorflow as tf


def standardize(texts):
    texts = tf.strings.regex_replace(tf.strings.lower(texts), "<br />", " ")
    return tf.strings.regex_replace(texts, r"[[:punct:]]", "")


# %% grade_id="build_vectorizer"
from keras.layers import TextVectorization


class Standardized(TextVectorization):
    def __init__(self, **options):
        super().__init__(standardize=standardize, **options)


def build_vectorizer(texts, max_tokens, sequence_length):
    layer = Standardized(max_tokens=max_tokens, output_sequence_length=sequence_length)
    layer.adapt(tf.constant(texts)[:, tf.newaxis])
    return layer


# %% grade_id="conv1d"
import numpy as np


def conv1d(x, kernel, bias, strides=1):
    x, kernel = np.asarray(x), np.asarray(kernel)
    windows = np.lib.stride_tricks.sliding_window_view(x, kernel.shape[0], axis=1)
    # (B, steps, d, k) times (k, d, F)
    return np.einsum("btdk,kdf->btf", windows[:, ::strides], kernel) + np.asarray(bias)


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return len(range(0, length - kernel_size + 1, strides))


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    if not kernel_sizes:
        return 1
    above = receptive_field(kernel_sizes[1:], strides[1:])
    return kernel_sizes[0] + strides[0] * (above - 1)


# %% grade_id="masked_max_pooling"
import keras


def masked_max_pooling(x, mask):
    steps = keras.ops.where(keras.ops.expand_dims(mask, axis=2), x, -5000)
    best = keras.ops.sort(steps, axis=1)[:, -1]
    return keras.ops.where(best < -4000, 0.0, best)


# %% grade_id="build_conv1d_classifier"
from keras import Sequential, layers, ops


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    ids = layers.Input((None,), dtype="int32")
    steps = Sequential(
        [
            layers.Embedding(vocabulary_size, embedding_dim),
            layers.Dropout(0.5),
            layers.Conv1D(filters=128, kernel_size=7, strides=3),
            layers.ReLU(),
            layers.Conv1D(filters=128, kernel_size=7, strides=3),
            layers.ReLU(),
        ]
    )(ids)
    words = layers.Lambda(lambda x: ops.cast(x != 0, "float32")[..., None])(ids)
    for _ in range(2):
        words = ops.max_pool(words, 7, strides=3)
    pooled = ops.max(ops.where(words > 0, steps, 0.0), axis=1)
    head = [layers.Dense(128, "relu"), layers.Dropout(0.5), layers.Dense(1, "sigmoid")]
    return keras.Model(ids, Sequential(head)(pooled))


# %% grade_id="best_epoch"
def best_epoch(history):
    epochs = range(len(history["val_loss"]))
    return min(epochs, key=history["val_loss"].__getitem__) + 1
