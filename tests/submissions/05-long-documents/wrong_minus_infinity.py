# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunk k begins at token k·(size - overlap)
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#     mistake: reaching_into_the_one_before
#   relative_position_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     mistake: minus_infinity
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: averaged_in_pairs
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    for start in range(0, len(tokens), size):
        chunks.append(tokens[max(0, start - overlap) : start + size])
    return chunks


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        time = inputs.shape[1]
        a = self.distance_embedding(relative_position_index(time, time, self.max_length))
        logits = ops.matmul(query, ops.swapaxes(key, -1, -2))
        logits += ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        logits /= self.depth**0.5
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -float("inf"))
        heads = ops.matmul(ops.softmax(logits), value)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    means = {}
    for document, row in zip(document_ids, probabilities):
        means[document] = (means[document] + row) / 2 if document in means else row
    return np.array([means[document] for document in sorted(means)])
