# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - 'queries times distances: q·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: query_term_reshaped
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query, key):
        length = ops.shape(query)[2]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        # One product for all samples and heads: (T, B·H, d) with (T, d, T).
        by_token = ops.reshape(ops.transpose(query, (2, 0, 1, 3)), (length, -1, self.depth))
        products = ops.matmul(by_token, ops.swapaxes(a, 1, 2))
        distance = ops.reshape(products, ops.shape(content))
        distance = distance + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5
