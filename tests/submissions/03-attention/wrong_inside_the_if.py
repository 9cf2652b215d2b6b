# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - large scores give finite, correct results
#     mistake: softmax_with_a_mask_only
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - large scores give finite, correct results
#     mistake: softmax_with_a_mask_only
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    weights = ops.matmul(query, ops.swapaxes(key, -1, -2)) / key.shape[-1] ** 0.5
    if mask is not None:
        weights = ops.where(mask, weights, -1e9)
        weights = ops.softmax(weights, axis=-1)
    return ops.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        query, key, value = (
            self.separate_heads(linear(inputs))
            for linear in (self.query_linear, self.key_linear, self.value_linear)
        )
        if mask is not None:
            mask = ops.expand_dims(ops.expand_dims(mask, 1), 1)
        heads = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(heads))
