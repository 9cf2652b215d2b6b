# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - with a table of zeros, it's multi-head self-attention
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: dot_product_transposed
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query: tf.Tensor, key: tf.Tensor) -> tf.Tensor:
        length = ops.shape(query)[2]
        index = relative_position_index(length, length, self.max_length)
        a = self.distance_embedding(index)
        content = ops.einsum("bhid,bhjd->bhji", query, key)
        distance = ops.einsum("bhid,ijd->bhij", query, a)
        distance = distance + ops.einsum("bhjd,ijd->bhij", key, a)
        scaled = (content + distance) / math.sqrt(self.depth)
        return scaled
