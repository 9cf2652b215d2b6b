# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#     mistake: fixed_axes
# ---

# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.supports_masking = True
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)

    def separate_heads(self, x):
        B, T, _ = x.shape
        x = tf.reshape(x, (B, T, self.num_heads, self.depth))
        return tf.transpose(x, (0, 2, 1, 3))

    def combine_heads(self, x):
        B, H, T, d = x.shape
        return tf.reshape(tf.transpose(x, (0, 2, 1, 3)), (B, T, H * d))

    def attention(self, query, key, value, mask=None):
        output, self.last_weights = scaled_dot_product_attention(query, key, value, mask)
        return output

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        by_key = None if mask is None else mask[:, None, None, :]
        return self.output_linear(self.combine_heads(self.attention(query, key, value, by_key)))
