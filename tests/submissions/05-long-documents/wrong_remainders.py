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
#     mistake: sizes_of_the_example
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: remainder_for_a_shift
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
#     mistake: weights_transposed
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    size, overlap = 4, 1
    if not tokens:
        return []
    chunks = [tokens[:size]]
    for start in range(size - overlap, len(tokens) - overlap, size - overlap):
        chunks.append(tokens[start : start + size])
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(key_length) - np.arange(query_length)[:, None]
    farthest = max_length - 1
    return np.clip(distance, -farthest, farthest) % (2 * max_length - 1)


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
        logits = self.logits(query, key)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        output = self.output_linear(
            self.combine_heads(ops.einsum("bhij,bhid->bhjd", weights, value))
        )
        self.last_weights = weights
        return output
