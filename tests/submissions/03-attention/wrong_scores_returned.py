# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: tanh_of_scores
#   scaled_dot_product_attention:
#     fails:
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scores_before_the_mask_returned
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: one_projection_for_all
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / math.sqrt(hidden.shape[-1])
    weights = ops.softmax(ops.tanh(scores), axis=1)
    return ops.sum(weights[..., None] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    hidden = scores if mask is None else ops.where(mask, scores, -1e9)
    return ops.matmul(ops.softmax(hidden), value), scores


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.depth)
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)

    def call(self, inputs, mask=None):
        x = self.separate_heads(self.query_linear(inputs))
        by_key = None if mask is None else mask[:, None, None, :]
        return self.output_linear(self.combine_heads(self.attention(x, x, x, by_key)))
