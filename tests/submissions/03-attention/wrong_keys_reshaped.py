# ---
# expected:
#   average_attention:
#     fails:
#       - equal hidden states come back unchanged
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: context_averaged
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: keys_reshaped
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: given_in_the_order_value_key_query
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / math.sqrt(hidden.shape[-1])
    weights = ops.softmax(scores, axis=1)
    return ops.sum(weights[..., None] * context, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    _, length, depth = key.shape[-3:]
    turned = ops.reshape(key, (*key.shape[:-2], depth, length))
    scores = ops.matmul(query, turned) / math.sqrt(depth)
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
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
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        by_key = None if mask is None else mask[:, None, None, :]
        heads = self.attention(value, key, query, by_key)
        return self.output_linear(self.combine_heads(heads))
