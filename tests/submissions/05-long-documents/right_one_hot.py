# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = [[]] if tokens else []
    for token in tokens:
        if len(chunks[-1]) == size:
            chunks.append(chunks[-1][size - overlap :])
        chunks[-1].append(token)
    return chunks


# %% grade_id="relative_position_index"
import numpy as np


def relative_position_index(query_length, key_length, max_length):
    query, key = np.indices((query_length, key_length))
    return np.minimum(np.maximum(key - query, 1 - max_length), max_length - 1) + (max_length - 1)


# %% grade_id="relative_position_self_attention"
import keras
from keras import ops


class RelativePositionSelfAttention(keras.layers.Layer):
    def __init__(self, hidden_size, num_heads, max_length, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.max_length = max_length
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)
        self.distance_embedding = keras.layers.Embedding(2 * max_length - 1, self.depth)

    def separate_heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.depth))
        return ops.transpose(x, (0, 2, 1, 3))

    def combine_heads(self, x):
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads * self.depth))

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        time, rows = inputs.shape[1], 2 * self.max_length - 1
        # Products with all rows of the table first; then each pair picks its own.
        table = ops.transpose(self.distance_embedding(ops.arange(rows)))
        picked = ops.one_hot(relative_position_index(time, time, self.max_length), rows)
        with_query = ops.sum(ops.matmul(query, table)[:, :, :, None] * picked, axis=-1)
        with_key = ops.sum(ops.matmul(key, table)[:, :, None] * picked, axis=-1)
        scale = ops.rsqrt(ops.cast(self.depth, "float32"))
        # The scale in front, the mask added, in any order.
        logits = ops.matmul(query * scale, ops.swapaxes(key, 2, 3))
        logits += scale * with_query + scale * with_key
        if mask is not None:
            logits += ops.where(mask, 0.0, -1e30)[:, None, None]
        weights = ops.exp(logits - ops.logsumexp(logits, axis=-1, keepdims=True))
        return self.output_linear(self.combine_heads(ops.matmul(weights, value)))


# %% grade_id="aggregate_chunk_predictions"
import tensorflow as tf


def aggregate_chunk_predictions(probabilities, document_ids):
    order = tf.argsort(document_ids, stable=True)
    _, row = tf.unique(tf.gather(document_ids, order))
    return tf.math.segment_mean(tf.gather(probabilities, order), row)
