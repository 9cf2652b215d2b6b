# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunk k begins at token k·(size - overlap)
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#       - the first chunk begins like the text, and the inputs are not changed
#     relation: wrong_type
#     reason: "`chunks` is a str"
#   relative_position_index:
#     fails: everything
#     relation: axis_reduced
#   relative_position_self_attention:
#     fails: everything
#     relation: exception
#   aggregate_chunk_predictions:
#     fails: everything
#     relation: wrong_return
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    start = 0
    while start < len(tokens):
        chunks.append(" ".join(tokens[start : start + size]))
        start += size - overlap
    return "\n".join(chunks) if chunks else chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    # One distance for each key, as if there were one query.
    return np.clip(np.arange(key_length), 1 - max_length, max_length - 1) + max_length - 1


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        time = inputs.shape[1]
        a = self.distance_embedding(relative_position_index(time, time, self.max_length))
        logits = ops.matmul(query, ops.swapaxes(key, -1, -2)) / self.depth**0.5
        logits += ops.matmul(query, a) + ops.matmul(key, a)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        heads = ops.matmul(ops.softmax(logits), value)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    return {int(i): probabilities[document_ids == i].mean(axis=0) for i in set(document_ids)}
