# %% grade_id="overlapping_chunks"
import math


def overlapping_chunks(tokens, size, overlap):
    if not tokens:
        return []
    step = size - overlap
    count = max(1, math.ceil((len(tokens) - overlap) / step))
    return [tokens[k * step : k * step + size] for k in range(count)]


# %% grade_id="relative_position_index"
import tensorflow as tf


def relative_position_index(query_length, key_length, max_length):
    distance = tf.range(key_length)[None, :] - tf.range(query_length)[:, None]
    return tf.clip_by_value(distance, -(max_length - 1), max_length - 1) + max_length - 1


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
        q = self.separate_heads(self.query_linear(inputs))
        k = self.separate_heads(self.key_linear(inputs))
        v = self.separate_heads(self.value_linear(inputs))
        time = ops.shape(inputs)[1]
        a = self.distance_embedding(relative_position_index(time, time, self.max_length))
        logits = ops.einsum("bhid,bhjd->bhij", q, k)
        logits += ops.einsum("bhid,ijd->bhij", q, a) + ops.einsum("bhjd,ijd->bhij", k, a)
        logits /= self.depth**0.5
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        heads = ops.einsum("bhij,bhjd->bhid", ops.softmax(logits, axis=-1), v)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="aggregate_chunk_predictions"
import numpy as np


def aggregate_chunk_predictions(probabilities, document_ids):
    belongs = (np.unique(document_ids)[:, None] == document_ids[None, :]).astype("float32")
    return np.einsum("nc,ck->nk", belongs, probabilities) / belongs.sum(axis=1, keepdims=True)
