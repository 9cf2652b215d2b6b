# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: one_softmax_for_all_samples
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: softmax_twice
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: no_query_projection
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / math.sqrt(hidden.shape[-1])
    weights = ops.reshape(ops.softmax(ops.reshape(scores, (-1,))), scores.shape)
    return ops.sum(weights[..., None] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(ops.softmax(scores))
    return ops.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.depth)
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)

    def call(self, inputs, mask=None):
        query = self.separate_heads(inputs)
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        by_key = None if mask is None else mask[:, None, None, :]
        heads = self.attention(query, key, value, by_key)
        return self.output_linear(self.combine_heads(heads))
