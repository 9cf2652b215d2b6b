# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - masked keys get no weight, the others share it
#     mistake: zeros_taken_for_padding
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#     mistake: zeros_always_taken_for_padding
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    empty = ops.all(key == 0, axis=-1)
    scores -= 1e9 * ops.cast(ops.expand_dims(empty, -2), "float32")
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        filled = ops.max(ops.abs(inputs), axis=-1) > 0
        if mask is not None:
            filled = ops.logical_and(filled, mask)
        by_key = filled[:, None, None, :]
        heads = self.attention(query, key, value, by_key)
        return self.output_linear(self.combine_heads(heads))
