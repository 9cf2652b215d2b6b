# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#     mistake: one_token_long
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: remainder_of_the_distance
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
#     mistake: causal
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    end = 0
    while end < len(tokens):
        start = max(end - overlap, 0)
        end = start + size
        chunks.append(tokens[start : end + 1])
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(key_length)[None, :] - np.arange(query_length)[:, None]
    return np.mod(distance, 2 * max_length - 1)


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
        time = ops.shape(logits)[-1]
        looks_back = ops.tril(ops.ones((time, time), dtype="bool"))
        logits = ops.where(looks_back, logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        output = self.output_linear(self.combine_heads(ops.matmul(weights, value)))
        self.last_weights = weights
        return output
