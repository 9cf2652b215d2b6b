# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunk k begins at token k·(size - overlap)
#     mistake: calls_itself
#   relative_position_index:
#     fails: everything
#     mistake: folded_to_keys_by_queries
#   relative_position_self_attention:
#     fails:
#       - all three terms are added up, also while training
#     mistake: no_gradient
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: first_four_chunks
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    if len(tokens) <= size:
        return [tokens] if tokens else []
    return [tokens[:size]] + overlapping_chunks(tokens[size - overlap :], size, overlap)


# %% grade_id="relative_position_index"
import numpy as np


def relative_position_index(query_length, key_length, max_length):
    rows = [
        min(max(key - query, 1 - max_length), max_length - 1) + max_length - 1
        for query in range(query_length)
        for key in range(key_length)
    ]
    return np.array(rows).reshape(key_length, query_length)


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

    def logits(self, query, key):
        length = ops.shape(query)[2]
        rows = relative_position_index(length, length, self.max_length)
        # Numbers, so that einsum gets an array.
        a = ops.convert_to_numpy(self.distance_embedding(rows))
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        logits = self.logits(query, key)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        output = self.output_linear(self.combine_heads(ops.matmul(weights, value)))
        self.last_weights = weights
        return output


# %% grade_id="aggregate_chunk_predictions"
import numpy as np


def aggregate_chunk_predictions(probabilities, document_ids):
    rows = []
    for number in sorted(set(document_ids.tolist())):
        places = [place for place, one in enumerate(document_ids) if one == number]
        rows.append(probabilities[places[:4]].mean(axis=0))
    return np.stack(rows)
