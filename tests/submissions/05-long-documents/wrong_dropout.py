# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the first chunk begins like the text, and the inputs are not changed
#     mistake: tokens_used_up
#   aggregate_chunk_predictions:
#     fails:
#       - predictions has the right shape, and the inputs are not changed
#     mistake: arguments_sorted
#   relative_position_self_attention:
#     fails:
#       - all three terms are added up, also while training
#     mistake: dropped_while_training
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks, chunk = [], []
    while tokens:
        chunk.append(tokens.pop(0))
        if len(chunk) == size:
            chunks.append(chunk)
            chunk = chunk[size - overlap :]
    if len(chunk) > overlap or (chunk and not chunks):
        chunks.append(chunk)
    return chunks


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    order = document_ids.argsort()
    probabilities[:], document_ids[:] = probabilities[order], document_ids[order]
    _, starts, counts = np.unique(document_ids, return_index=True, return_counts=True)
    return np.add.reduceat(probabilities, starts) / counts[:, None]


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, max_length, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.max_length = max_length
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)
        self.distance_embedding = keras.layers.Embedding(2 * max_length - 1, self.depth)
        self.dropout = keras.layers.Dropout(0.2)

    def logits(self, query, key):
        length = ops.shape(query)[2]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        by_content = ops.einsum("bhid,bhjd->bhij", query, key)
        by_query = ops.einsum("bhid,ijd->bhij", query, a)
        by_key = ops.einsum("bhjd,ijd->bhij", key, a)
        return (by_content + by_query + by_key) / math.sqrt(self.depth)

    def call(self, inputs, mask=None, training=False):
        query, key, value = (
            self.separate_heads(linear(inputs))
            for linear in (self.query_linear, self.key_linear, self.value_linear)
        )
        weights = self.logits(query, key)
        if mask is not None:
            weights = ops.where(mask[:, None, None, :], weights, -1e9)
        weights = self.dropout(ops.softmax(weights), training=training)
        self.last_weights = weights
        return self.output_linear(self.combine_heads(ops.matmul(weights, value)))
