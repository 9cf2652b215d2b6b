# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#     mistake: end_must_be_passed
#   relative_position_index:
#     fails:
#       - distances beyond the table get its first or last row
#     mistake: clipped_on_one_side
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
#     mistake: no_scaling and residual_inside
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: first_chunk_only
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks, start = [], 0
    while start < len(tokens):
        end = start + size
        chunks.append(tokens[start:end])
        if end > len(tokens):
            break
        start = end - overlap
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = tf.range(key_length)[tf.newaxis] - tf.expand_dims(tf.range(query_length), -1)
    return tf.minimum(distance, max_length - 1) + max_length - 1


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

    def logits(self, query, key):
        length = query.shape[2]
        rows = ops.clip(
            ops.arange(length) - ops.arange(length)[:, None],
            1 - self.max_length,
            self.max_length - 1,
        )
        a = self.distance_embedding(rows + self.max_length - 1)[None, None]
        content = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2)))
        by_query = ops.sum(query[:, :, :, None, :] * a, axis=-1)
        by_key = ops.sum(key[:, :, None, :, :] * a, axis=-1)
        return content + by_query + by_key

    def call(self, inputs, mask=None):
        q, k, v = (
            self.separate_heads(linear(inputs))
            for linear in (self.query_linear, self.key_linear, self.value_linear)
        )
        logits = self.logits(q, k)
        if mask is not None:
            logits -= 1e9 * ops.cast(ops.logical_not(mask), "float32")[:, None, None, :]
        output = self.output_linear(self.combine_heads(ops.softmax(logits) @ v))
        return output + inputs


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    _, where = np.unique(document_ids, return_index=True)
    return probabilities[where]
