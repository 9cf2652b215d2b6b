# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - "any leading axes: (batch, heads, time, depth) works too"
#     mistake: billion_added_to_what_counts
#   multi_head_self_attention:
#     fails: everything
#     relation: wrong_return
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores += 1e9 * ops.cast(mask, scores.dtype)
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        return scaled_dot_product_attention(query, key, value, mask)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        mask = None if mask is None else mask[:, None, None, :]
        output, weights = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(output)), weights
