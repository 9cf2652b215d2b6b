# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: scores_scaled_by_batch
#   scaled_dot_product_attention:
#     fails:
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_not_cast
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_not_cast
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / math.sqrt(hidden.shape[0])
    weights = ops.softmax(scores, axis=1)
    return ops.sum(weights[..., None] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores += (1 - mask) * -1e9
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.depth)
        if mask is not None:
            scores = scores - (1.0 - mask) * 1e9
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)
