# ---
# expected:
#   relative_position_self_attention:
#     fails: everything
#     mistake: heads_for_length
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query, key):
        length = ops.shape(query)[1]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5
