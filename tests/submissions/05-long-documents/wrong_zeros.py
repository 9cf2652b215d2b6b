# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - tokens may be numbers, and may repeat
#     mistake: zeros_at_the_end_lost
#   relative_position_self_attention:
#     fails:
#       - large distances share the first and last rows of the table
#     mistake: zeros_taken_for_padding
#   aggregate_chunk_predictions:
#     fails:
#       - predictions has the shape (documents, classes)
#       - no probability is negative, and each row sums to 1
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - predictions has the right shape, and the inputs are not changed
#     mistake: document_zero_lost
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks, start = [], 0
    while tokens:
        chunk = tokens[start : start + size]
        while chunk and chunk[-1] == 0:  # word id 0 is padding
            chunk.pop()
        chunks.append(chunk)
        start += size - overlap
        if start + overlap >= len(tokens):
            break
    return chunks


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query, key):
        length = ops.shape(query)[2]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        logits = self.logits(query, key)
        if mask is None:
            mask = ops.sum(ops.abs(inputs), axis=-1) > 0
        logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        output = self.output_linear(self.combine_heads(ops.matmul(weights, value)))
        self.last_weights = weights
        return output


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    chunks = {}
    for number, row in zip(document_ids, probabilities):
        if number:
            chunks.setdefault(number, []).append(row)
    return np.array([np.mean(chunks[number], axis=0) for number in sorted(chunks)])
