# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size)
#       - the numbers are right for identical tokens, whatever their weights
#       - with a table of zeros, it's multi-head self-attention
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#     mistake: mask_needed
# ---

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
        logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        output = self.output_linear(self.combine_heads(ops.matmul(weights, value)))
        self.last_weights = weights
        return output
