# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: scores_multiplied_by_root
#   scaled_dot_product_attention:
#     fails:
#       - output and weights have the right shapes
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - large scores give finite, correct results
#     mistake: mask_always_expected
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - combining puts the heads side by side, first head first
#       - queries, keys and values are projected without a bias
#       - call uses the layer's own methods
#       - the numbers are right, also while training
#       - large scores give finite, correct results
#     mistake: mask_always_expected
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) * math.sqrt(hidden.shape[-1])
    weights = ops.softmax(scores, axis=1)
    return ops.sum(weights[..., None] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    scores += (1.0 - tf.cast(mask, tf.float32)) * -1e9
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
        by_key = ops.expand_dims(ops.expand_dims(mask, 1), 1)
        heads = self.attention(query, key, value, by_key)
        return self.output_linear(self.combine_heads(heads))
