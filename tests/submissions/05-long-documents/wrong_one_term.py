# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the last chunk may be shorter
#       - tokens may be numbers, and may repeat
#     mistake: end_of_the_text_lost
#   relative_position_index:
#     fails:
#       - distances beyond the table get its first or last row
#     mistake: not_clipped
#   relative_position_self_attention:
#     fails:
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: not_clipped and no_key_term
#   aggregate_chunk_predictions:
#     fails:
#       - no probability is negative, and each row sums to 1
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: sums
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    if 0 < len(tokens) < size:
        return [tokens]
    chunks = []
    start = 0
    while start + size <= len(tokens):
        chunks.append(tokens[start : start + size])
        start += size - overlap
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    return ops.arange(key_length)[None, :] - ops.arange(query_length)[:, None] + max_length - 1


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        time = inputs.shape[1]
        a = self.distance_embedding(relative_position_index(time, time, self.max_length))
        logits = ops.matmul(query, ops.swapaxes(key, -1, -2))
        logits = (logits + ops.einsum("bhid,ijd->bhij", query, a)) / self.depth**0.5
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        heads = ops.matmul(ops.softmax(logits), value)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    documents, row = np.unique(document_ids, return_inverse=True)
    return tf.math.unsorted_segment_sum(probabilities, row, len(documents))
