# ---
# expected:
#   average_attention:
#     fails:
#       - equal hidden states come back unchanged
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: scores_divided_by_d and weighted_mean_of_mean
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: divided_by_d_k and mask_after_softmax
#   multi_head_self_attention:
#     fails:
#       - queries, keys and values are projected without a bias
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: no_output_projection and projections_with_bias
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    weights = tf.nn.softmax(tf.tensordot(hidden, context, axes=1) / hidden.shape[-1])
    return tf.reduce_mean(weights[:, :, tf.newaxis] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    d_k = key.shape[-1]
    weights = tf.nn.softmax(tf.einsum("...td,...sd->...ts", query, key) / d_k)
    if mask is not None:
        weights = weights * tf.cast(mask, tf.float32)
    output = tf.einsum("...ts,...sv->...tv", weights, value)
    return output, weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size, self.num_heads = hidden_size, num_heads
        self.depth = hidden_size // num_heads
        self.query_linear = layers.Dense(hidden_size, name="query")
        self.key_linear = layers.Dense(hidden_size, name="key")
        self.value_linear = layers.Dense(hidden_size, name="value")
        self.output_linear = layers.Dense(hidden_size, name="output")

    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.depth)
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        return ops.matmul(ops.softmax(scores), value)

    def call(self, inputs, mask=None):
        query, key, value = (
            self.separate_heads(linear(inputs))
            for linear in (self.query_linear, self.key_linear, self.value_linear)
        )
        by_key = None if mask is None else mask[:, None, None, :]
        output = self.combine_heads(self.attention(query, key, value, by_key))
        return output
