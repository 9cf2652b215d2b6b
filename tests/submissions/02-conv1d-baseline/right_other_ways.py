# %% grade_id="standardize"
def standardize(texts):
    texts = tf.strings.lower(texts)
    texts = tf.strings.regex_replace(texts, "(<br />)", " ")
    return tf.strings.regex_replace(texts, r"[!-/:-@\[-`{-~]+", "")


# %% grade_id="build_vectorizer"
def build_vectorizer(texts, max_tokens, sequence_length):
    vectorizer = tf.keras.layers.TextVectorization(
        max_tokens=max_tokens,
        standardize=lambda text: standardize(text),
        split="whitespace",
        output_mode="int",
        output_sequence_length=sequence_length,
    )
    vectorizer.adapt(np.array(texts, dtype=object), batch_size=64)
    return vectorizer


# %% grade_id="conv1d"
def conv1d(x, kernel, bias, strides=1):
    return tf.nn.conv1d(x, kernel, stride=strides, padding="VALID") + bias


# %% grade_id="conv1d_output_length"
def conv1d_output_length(length, kernel_size, strides):
    return max(0, -(-(length - kernel_size + 1) // strides))


# %% grade_id="receptive_field"
import math


def receptive_field(kernel_sizes, strides):
    return 1 + sum(
        (size - 1) * math.prod(strides[:layer]) for layer, size in enumerate(kernel_sizes)
    )


# %% grade_id="masked_max_pooling"
from keras import ops


def masked_max_pooling(x, mask):
    low = ops.min(x)  # no number is lower
    largest = ops.max(ops.where(ops.expand_dims(mask, 2), x, low), axis=1)
    return largest * ops.cast(ops.max(mask, axis=1, keepdims=True), x.dtype)


# %% grade_id="build_conv1d_classifier"
from keras import ops


def build_conv1d_classifier(vocabulary_size, embedding_dim):
    inputs = keras.Input((None,), dtype="int32")
    x = layers.Embedding(vocabulary_size, embedding_dim)(inputs)
    x = layers.Dropout(rate=1 / 2)(x)
    for _ in range(2):
        x = layers.Activation("relu")(layers.Conv1D(128, [7], strides=[3])(x))
    field = receptive_field([7, 7], [3, 3])
    last = inputs[:, : 1 - field]  # where a window may begin
    x = masked_max_pooling(x, ops.not_equal(last[:, :: 3 * 3], 0))
    x = layers.Dropout(0.5)(ops.relu(layers.Dense(128)(x)))
    return keras.Model(inputs, ops.sigmoid(layers.Dense(1)(x)))


# %% grade_id="best_epoch"
def best_epoch(history):
    ranked = sorted((loss, epoch) for epoch, loss in enumerate(history["val_loss"], start=1))
    return ranked[0][1]
