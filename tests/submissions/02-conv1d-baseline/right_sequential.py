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


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return len(range(0, length - kernel_size + 1, strides))


# %% grade_id="build_conv1d_classifier"
from keras import Sequential, layers, ops


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    return Sequential(
        [
            layers.Embedding(vocabulary_size, embedding_dim),
            layers.Dropout(0.5),
            layers.Conv1D(filters=128, kernel_size=7, strides=3),
            layers.ReLU(),
            layers.Conv1D(filters=128, kernel_size=7, strides=3),
            layers.ReLU(),
            layers.Lambda(lambda x: ops.max(x, axis=1)),
            layers.Dense(128, "relu"),
            layers.Dropout(0.5),
            layers.Dense(1),
            layers.Activation("sigmoid"),
        ]
    )


# %% grade_id="best_epoch"
def best_epoch(history):
    epochs = range(len(history["val_loss"]))
    return min(epochs, key=history["val_loss"].__getitem__) + 1
