# ---
# expected:
#   relative_position_self_attention:
#     fails: everything
#     mistake: keys_not_transposed
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query: tf.Tensor, key: tf.Tensor) -> tf.Tensor:
        length = ops.shape(query)[2]
        index = relative_position_index(length, length, self.max_length)
        a = self.distance_embedding(index)
        content = ops.matmul(query, key)
        distance = ops.einsum("bhid,ijd->bhij", query, a)
        distance = distance + ops.einsum("bhjd,ijd->bhij", key, a)
        scaled = (content + distance) / math.sqrt(self.depth)
        return scaled
