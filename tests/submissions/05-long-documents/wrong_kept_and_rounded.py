# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the overlap may be 0, or more than half a chunk
#     mistake: share_rounded_down
#   relative_position_self_attention:
#     fails:
#       - the numbers are right for identical tokens, whatever their weights
#     mistake: length_of_the_first_text
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    new = 1 - overlap / size  # the part of a chunk that the one before doesn't have
    chunks, start = [], 0
    while start == 0 or start + overlap < len(tokens):
        chunks.append(tokens[start : start + size])
        start += int(new * size)
    return chunks if tokens else []


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def build(self, input_shape):
        for linear in (self.query_linear, self.key_linear, self.value_linear, self.output_linear):
            linear.build(input_shape)
        self.distance_embedding.build()
        length = input_shape[1]
        self.rows = relative_position_index(length, length, self.max_length)

    def logits(self, query, key):
        a = self.distance_embedding(self.rows)
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5
