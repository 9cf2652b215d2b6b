# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - large distances share the first and last rows of the table
#     mistake: distances_of_max_length_tokens
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query: tf.Tensor, key: tf.Tensor) -> tf.Tensor:
        length = ops.shape(query)[2]
        longest = self.max_length
        index = relative_position_index(longest, longest, longest)
        vectors = self.distance_embedding(index[:length, :length])
        summed = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2)))
        summed = summed + ops.einsum("bhqd,qkd->bhqk", query, vectors)
        summed = summed + ops.einsum("bhkd,qkd->bhqk", key, vectors)
        scaled = summed / ops.sqrt(ops.cast(self.depth, summed.dtype))
        return scaled
