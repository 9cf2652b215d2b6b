# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - a text no longer than a chunk is one chunk
#     mistake: short_text_lost
#   relative_position_index:
#     fails:
#       - the entries are integers
#     mistake: floats
#   relative_position_self_attention:
#     fails:
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: distances_not_scaled
#   aggregate_chunk_predictions:
#     fails:
#       - numbers may be missing
#       - a single document is one row
#       - predictions has the right shape, and the inputs are not changed
#     mistake: numbers_as_rows
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    step = size - overlap
    return [tokens[start : start + size] for start in range(0, len(tokens) - overlap, step)]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    query = tf.range(query_length, dtype=tf.float32)
    key = tf.range(key_length, dtype=tf.float32)
    distance = key[tf.newaxis, :] - query[:, tf.newaxis]
    return tf.clip_by_value(distance, 1.0 - max_length, max_length - 1.0) + max_length - 1.0


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        time = inputs.shape[1]
        a = self.distance_embedding(relative_position_index(time, time, self.max_length))
        logits = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2))) / self.depth**0.5
        logits += ops.einsum("bhid,ijd->bhij", query, a)
        logits += ops.einsum("bhjd,ijd->bhij", key, a)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        return self.output_linear(self.combine_heads(ops.matmul(weights, value)))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    documents = len(set(document_ids))
    return tf.math.unsorted_segment_mean(probabilities, document_ids, num_segments=documents)
