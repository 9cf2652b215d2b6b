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
#     mistake: tokens_sorted
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: keys_after_in_row_zero
#   relative_position_self_attention:
#     fails:
#       - with a table of zeros, it's multi-head self-attention
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: queries_and_keys_swapped
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: weighted_by_lead
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    tokens = sorted(tokens)
    chunks = []
    start = 0
    while tokens:
        chunks.append(tokens[start : start + size])
        if start + size >= len(tokens):
            break
        start += size - overlap
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    index = np.zeros((query_length, key_length), int)
    for query in range(query_length):
        for key in range(min(query + 1, key_length)):  # what comes after isn't known yet
            index[query, key] = max(key - query, 1 - max_length) + max_length - 1
    return index


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query, key):
        length = ops.shape(query)[2]
        steps = ops.arange(length)
        distance = steps[None, :] - steps[:, None]
        farthest = self.max_length - 1
        a = self.distance_embedding(ops.clip(distance, -farthest, farthest) + farthest)
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        logits = self.logits(key, query)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        output = self.output_linear(self.combine_heads(ops.matmul(weights, value)))
        self.last_weights = weights
        return output


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    sure = probabilities.max(axis=1) - 1 / probabilities.shape[1]
    rows = []
    for number in np.unique(document_ids):
        chosen = document_ids == number
        weights = sure[chosen] / sure[chosen].sum()
        rows.append((probabilities[chosen] * weights[:, None]).sum(axis=0))
    return np.stack(rows)
