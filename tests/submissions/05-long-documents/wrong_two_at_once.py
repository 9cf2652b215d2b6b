# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the last chunk may be shorter
#       - tokens may be numbers, and may repeat
#     mistake: last_chunk_moved_back
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: table_too_large
#   relative_position_self_attention:
#     fails:
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: no_key_term and mask_multiplied
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: products
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    position = 0
    while tokens:
        if position + size >= len(tokens):
            chunks.append(tokens[-size:])
            break
        chunks.append(tokens[position : position + size])
        position += size - overlap
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    range_q = ops.expand_dims(ops.arange(query_length), 1)
    range_k = ops.expand_dims(ops.arange(key_length), 0)
    distance = ops.clip(range_k - range_q, -max_length, max_length)
    return distance + max_length


# %% grade_id="relative_position_self_attention"
class RelativePositionSelfAttention(keras.layers.Layer):
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

    def heads(self, x):
        return tf.stack(tf.split(x, self.num_heads, axis=-1), axis=1)

    def relative(self, length):
        steps = tf.range(length)
        distance = steps[None, :] - steps[:, None]
        farthest = self.max_length - 1
        rows = tf.clip_by_value(distance, -farthest, farthest) + farthest
        return self.distance_embedding(rows)

    def call(self, inputs, mask=None):
        q = self.heads(self.query_linear(inputs))
        k = self.heads(self.key_linear(inputs))
        v = self.heads(self.value_linear(inputs))
        scores = tf.matmul(q, k, transpose_b=True)
        scores += tf.einsum("bhqd,qkd->bhqk", q, self.relative(tf.shape(inputs)[1]))
        scores /= tf.sqrt(float(self.depth))
        if mask is not None:
            scores = scores * tf.cast(mask, scores.dtype)[:, tf.newaxis, tf.newaxis, :]
        context = tf.matmul(tf.nn.softmax(scores), v)
        return self.output_linear(tf.concat(tf.unstack(context, axis=1), axis=-1))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    rows = []
    for document in np.unique(document_ids):
        log_sum = np.log(probabilities[document_ids == document]).sum(axis=0)
        row = np.exp(log_sum)
        rows.append(row / row.sum())
    return np.array(rows)
