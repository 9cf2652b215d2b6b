# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#     mistake: first_row_of_the_mask
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#     mistake: sizes_of_the_first_call_kept
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        hidden = ops.logical_not(mask[..., 0, :])
        scores -= 1e9 * ops.cast(hidden, "float32")[..., None, :]
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def build(self, input_shape):
        for linear in (self.query_linear, self.key_linear, self.value_linear, self.output_linear):
            linear.build(input_shape)
        self.time = input_shape[1]

    def separate_heads(self, x):
        by_token = ops.reshape(x, (-1, self.time, self.num_heads, self.depth))
        return ops.transpose(by_token, (0, 2, 1, 3))

    def combine_heads(self, x):
        by_token = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(by_token, (-1, self.time, self.hidden_size))

    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)
