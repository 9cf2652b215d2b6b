# %% grade_id="overlapping_chunks"
from itertools import count, takewhile


def overlapping_chunks(tokens, size, overlap):
    starts = count(0, size - overlap)
    starts = takewhile(lambda start: start == 0 or start + overlap < len(tokens), starts)
    return tuple(tuple(tokens[start : start + size]) for start in starts if tokens)


# %% grade_id="relative_position_index"
from keras import ops


def relative_position_index(query_length, key_length, max_length):
    distance = ops.arange(key_length) - ops.expand_dims(ops.arange(query_length), 1)
    return ops.clip(distance + max_length - 1, 0, 2 * max_length - 2)


# %% grade_id="relative_position_self_attention"
import keras


class RelativePositionSelfAttention(keras.layers.Layer):
    """Keras's own projections and softmax: weights with other names and shapes."""

    def __init__(self, hidden_size, num_heads, max_length):
        super().__init__()
        by_head = (None, num_heads, hidden_size // num_heads)
        self.depth, self.max_length = by_head[2], max_length
        self.to_query = keras.layers.EinsumDense("btm,mhd->bthd", by_head)
        self.to_key = keras.layers.EinsumDense("btm,mhd->bthd", by_head)
        self.to_value = keras.layers.EinsumDense("btm,mhd->bthd", by_head)
        self.from_heads = keras.layers.EinsumDense(
            "bthd,hdm->btm", (None, hidden_size), bias_axes="m"
        )
        self.table = keras.layers.Embedding(2 * max_length - 1, self.depth)
        self.softmax = keras.layers.Softmax()

    def call(self, inputs, mask=None):
        query, key, value = self.to_query(inputs), self.to_key(inputs), self.to_value(inputs)
        time = inputs.shape[1]
        a = self.table(relative_position_index(time, time, self.max_length))
        # (q + a)·(k + a) has a term too many: a·a.
        logits = ops.einsum("bihd,bjhd->bhij", query, key)
        logits = logits + ops.einsum("bihd,ijd->bhij", query, a)
        logits = logits + ops.einsum("bjhd,ijd->bhij", key, a)
        if mask is not None:
            mask = ops.broadcast_to(mask[:, None, None, :], ops.shape(logits))
        weights = self.softmax(logits / ops.sqrt(float(self.depth)), mask=mask)
        return self.from_heads(ops.einsum("bhij,bjhd->bihd", weights, value))


# %% grade_id="aggregate_chunk_predictions"
import numpy as np


def aggregate_chunk_predictions(probabilities, document_ids):
    documents, row = np.unique(document_ids, return_inverse=True)
    totals = ops.segment_sum(probabilities, row, num_segments=len(documents))
    chunks = ops.segment_sum(np.ones_like(row), row, num_segments=len(documents))
    return totals / ops.cast(chunks, "float32")[:, None]
