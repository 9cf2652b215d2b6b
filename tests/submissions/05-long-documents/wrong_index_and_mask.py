# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the last chunk may be shorter
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#     mistake: whole_chunks_only
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: distance_reversed
#   relative_position_self_attention:
#     fails:
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: distance_reversed and mask_after_softmax
#   aggregate_chunk_predictions:
#     fails:
#       - no probability is negative, and each row sums to 1
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: largest
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    if len(tokens) < size:
        return []
    windows = np.lib.stride_tricks.sliding_window_view(np.array(tokens), size)
    return windows[:: size - overlap].tolist()


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    index = np.zeros((query_length, key_length), dtype=int)
    for i in range(query_length):
        for j in range(key_length):
            distance = max(-(max_length - 1), min(max_length - 1, i - j))
            index[i, j] = distance + max_length - 1
    return index


# %% grade_id="relative_position_self_attention"
class RelativePositionSelfAttention(keras.layers.Layer):
    def __init__(self, hidden_size, num_heads, max_length, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size, self.num_heads, self.max_length = hidden_size, num_heads, max_length
        self.depth = hidden_size // num_heads
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)
        self.distance_embedding = keras.layers.Embedding(2 * max_length - 1, self.depth)

    def call(self, inputs, mask=None):
        length = inputs.shape[1]
        by_head = (-1, length, self.num_heads, self.depth)
        query = ops.reshape(self.query_linear(inputs), by_head)
        key = ops.reshape(self.key_linear(inputs), by_head)
        value = ops.reshape(self.value_linear(inputs), by_head)
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        logits = ops.einsum("bihd,bjhd->bhij", query, key)
        logits = logits + ops.einsum("bihd,ijd->bhij", query, a)
        logits = logits + ops.einsum("bjhd,ijd->bhij", key, a)
        weights = ops.softmax(logits / ops.sqrt(float(self.depth)))
        if mask is not None:
            weights = ops.where(mask[:, None, None, :], weights, 0.0)
        attended = ops.einsum("bhij,bjhd->bihd", weights, value)
        return self.output_linear(ops.reshape(attended, (-1, length, self.hidden_size)))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    order = np.argsort(document_ids, kind="stable")
    _, starts = np.unique(document_ids[order], return_index=True)
    return np.maximum.reduceat(probabilities[order], starts, axis=0)
