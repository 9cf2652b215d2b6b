# ---
# expected:
#   average_attention:
#     fails: everything
#     mistake: weights_returned
#   scaled_dot_product_attention:
#     fails:
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#     mistake: weights_before_the_mask
#   multi_head_self_attention:
#     fails:
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: heads_and_depth_swapped
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / math.sqrt(hidden.shape[-1])
    return ops.softmax(scores, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    weights = ops.softmax(scores)
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    return ops.matmul(ops.softmax(scores), value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def separate_heads(self, x):
        by_token = ops.reshape(x, (-1, ops.shape(x)[1], self.depth, self.num_heads))
        return ops.transpose(by_token, (0, 2, 1, 3))

    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(query.shape[-1])
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)
