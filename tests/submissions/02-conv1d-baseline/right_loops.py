# %% grade_id="standardize"
import string

import tensorflow as tf


def standardize(texts):
    result = tf.strings.regex_replace(tf.strings.lower(input=texts), r"<br />", " ")
    for mark in string.punctuation:
        result = tf.strings.regex_replace(result, "\\" + mark, "")
    return result


# %% grade_id="build_vectorizer"
import keras


def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = keras.layers.TextVectorization(
        max_tokens, standardize, output_sequence_length=sequence_length
    )
    vectorizer.adapt(tf.data.Dataset.from_tensor_slices(texts).batch(2))
    return vectorizer


# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    x, kernel, bias = np.array(x), np.array(kernel), np.array(bias)
    k, _, filters = kernel.shape
    steps = []
    start = 0
    while start + k <= x.shape[1]:
        total = np.tile(bias, (len(x), 1))
        for j in range(k):
            total += x[:, start + j] @ kernel[j]
        steps.append(total)
        start += strides
    return np.stack(steps, axis=1)


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    steps = 0
    start = 0
    while start + kernel_size <= length:
        steps += 1
        start += strides
    return steps


# %% grade_id="receptive_field"
def receptive_field(kernel_sizes, strides):
    field = 1
    for layer in range(len(kernel_sizes)):
        apart = 1
        for below in range(layer):
            apart = apart * strides[below]
        field = field + (kernel_sizes[layer] - 1) * apart
    return field


# %% grade_id="masked_max_pooling"
def masked_max_pooling(x, mask):
    weights = keras.ops.cast(mask, "float32")[:, :, None]
    lowest = -10000.0
    largest = keras.ops.amax(x * weights + lowest * (1 - weights), axis=1)
    return keras.ops.where(largest > lowest / 2, largest, keras.ops.zeros_like(largest))


# %% grade_id="build_conv1d_classifier"
class Classifier(keras.Model):
    def __init__(self, vocabulary_size, embedding_dim):
        super().__init__()
        self.embedding = keras.layers.Embedding(vocabulary_size, embedding_dim)
        self.drop = keras.layers.Dropout(0.5)
        self.conv_1 = keras.layers.Conv1D(128, 7, strides=3)
        self.conv_2 = keras.layers.Conv1D(128, 7, strides=3)
        self.dense = keras.layers.Dense(128)
        self.out = keras.layers.Dense(1)

    def call(self, ids, training=None):
        x = self.drop(self.embedding(ids), training=training)
        for conv in (self.conv_1, self.conv_2):
            x = tf.nn.relu(conv(x))
        # Nothing is below 0 here, so a 0 for padding can't win.
        some = tf.cast(ids[:, :-24:9] != 0, x.dtype)
        x = tf.reduce_max(x * some[:, :, tf.newaxis], axis=1)
        x = tf.nn.relu(self.dense(x))
        return tf.nn.sigmoid(self.out(self.drop(x, training=training)))


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    return Classifier(vocabulary_size, embedding_dim)


# %% grade_id="best_epoch"
def best_epoch(history):
    best = 1
    for epoch, loss in enumerate(history["val_loss"], start=1):
        if loss < history["val_loss"][best - 1]:
            best = epoch
    return best
