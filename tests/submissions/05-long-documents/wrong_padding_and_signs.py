# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the last chunk may be shorter
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#     mistake: last_chunk_filled_up_with_capitals
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: sign_lost_and_shifted
#   relative_position_self_attention:
#     fails:
#       - the numbers are right for identical tokens, whatever their weights
#       - with a table of zeros, it's multi-head self-attention
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: combined_by_reshape
#   aggregate_chunk_predictions:
#     fails: everything
#     mistake: classes_returned
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    if not tokens:
        return []
    step = size - overlap
    number = max(math.ceil((len(tokens) - overlap) / step), 1)
    padded = tokens + ["[PAD]"] * (number * step + overlap - len(tokens))
    return [padded[i * step : i * step + size] for i in range(number)]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    i, j = np.indices((query_length, key_length))
    return np.minimum(np.abs(i - j), max_length - 1) + (max_length - 1)


# %% grade_id="relative_position_self_attention"
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

    def by_head(self, x):
        x = ops.reshape(x, (-1, x.shape[1], self.num_heads, self.depth))
        return ops.transpose(x, (0, 2, 1, 3))

    def call(self, inputs, mask=None):
        q = self.by_head(self.query_linear(inputs))
        k = self.by_head(self.key_linear(inputs))
        v = self.by_head(self.value_linear(inputs))
        steps = ops.arange(inputs.shape[1])
        farthest = self.max_length - 1
        rows = ops.clip(steps[None] - steps[:, None], -farthest, farthest) + farthest
        a = self.distance_embedding(rows)
        logits = ops.einsum("bhid,bhjd->bhij", q, k)
        logits += ops.einsum("bhid,ijd->bhij", q, a) + ops.einsum("bhjd,ijd->bhij", k, a)
        logits /= self.depth**0.5
        if mask is not None:
            logits = ops.where(ops.expand_dims(mask, (1, 2)), logits, -1e9)
        heads = ops.matmul(ops.softmax(logits), v)
        return self.output_linear(ops.reshape(heads, ops.shape(inputs)))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    labels = []
    for document in sorted(set(document_ids.tolist())):
        labels.append(np.argmax(np.mean(probabilities[document_ids == document], axis=0)))
    return np.array(labels)
