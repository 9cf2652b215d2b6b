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


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    steps = 0
    start = 0
    while start + kernel_size <= length:
        steps += 1
        start += strides
    return steps


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
        x = tf.nn.relu(self.dense(tf.reduce_max(x, axis=1)))
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
