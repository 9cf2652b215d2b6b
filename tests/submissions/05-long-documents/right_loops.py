# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    start = 0
    while start < len(tokens):
        chunks.append(tokens[start : start + size])
        if start + size >= len(tokens):
            break
        start += size - overlap
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    index = []
    for query in range(query_length):
        row = []
        for key in range(key_length):
            distance = max(1 - max_length, min(max_length - 1, key - query))
            row.append(distance + max_length - 1)
        index.append(row)
    return index


# %% grade_id="relative_position_self_attention"
import keras
import numpy as np
from keras import ops


class RelativePositionSelfAttention(keras.layers.Layer):
    """One head after the other, one query after the other."""

    def __init__(self, hidden_size, num_heads, max_length):
        super().__init__()
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.max_length = max_length
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)
        self.distance_embedding = keras.layers.Embedding(2 * max_length - 1, self.depth)

    def logits(self, query, key):
        time = query.shape[1]
        index = np.array(relative_position_index(time, time, self.max_length))
        a = self.distance_embedding(index)
        rows = []
        for i in range(time):
            own = query[:, i : i + 1]
            with_distances = ops.sum((own + key) * a[i], axis=-1)
            rows.append(ops.sum(own * key, axis=-1) + with_distances)
        return ops.stack(rows, axis=1) / np.sqrt(self.depth)

    def call(self, inputs, mask=None):
        projected = self.query_linear(inputs), self.key_linear(inputs), self.value_linear(inputs)
        heads = []
        for h in range(self.num_heads):
            columns = slice(h * self.depth, (h + 1) * self.depth)
            query, key, value = (x[:, :, columns] for x in projected)
            logits = self.logits(query, key)
            if mask is not None:
                logits = logits - 1e9 * (1 - ops.cast(mask, "float32"))[:, None, :]
            heads.append(ops.matmul(ops.softmax(logits), value))
        return self.output_linear(ops.concatenate(heads, axis=-1))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    chunks = {}
    for row, document in zip(probabilities, document_ids):
        chunks.setdefault(int(document), []).append(row)
    return np.array([np.mean(chunks[document], axis=0) for document in sorted(chunks)])
