# ---
# expected:
#   scaled_dot_product_attention:
#     fails: everything
#     mistake: swapped_returns
#   multi_head_self_attention:
#     fails:
#       - queries, keys and values are projected without a bias
#     mistake: projections_with_bias
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True)
    logits /= tf.sqrt(tf.cast(tf.shape(key)[-1], logits.dtype))
    if mask is not None:
        logits += (1 - tf.cast(mask, logits.dtype)) * -1e9
    weights = tf.nn.softmax(logits)
    return weights, tf.matmul(weights, value)


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.query_linear = layers.Dense(hidden_size)
        self.key_linear = layers.Dense(hidden_size)
        self.value_linear = layers.Dense(hidden_size)
        self.output_linear = layers.Dense(hidden_size)

    def attention(self, query, key, value, mask=None):
        self.last_weights, output = scaled_dot_product_attention(query, key, value, mask)
        return output

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = mask[:, tf.newaxis, tf.newaxis, :]
        output = self.combine_heads(self.attention(query, key, value, mask))
        return self.output_linear(output)
