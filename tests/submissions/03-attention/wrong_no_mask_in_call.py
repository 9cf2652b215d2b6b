# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     mistake: minus_infinity
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_not_taken
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1)) / ops.sqrt(float(key.shape[-1]))
    if mask is not None:
        scores = ops.where(mask, scores, float("-inf"))
    weights = ops.softmax(scores, axis=-1)
    output = ops.matmul(weights, value)
    return output, weights


# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)

    def separate_heads(self, x):
        x = ops.reshape(x, (ops.shape(x)[0], ops.shape(x)[1], self.num_heads, self.depth))
        return ops.transpose(x, (0, 2, 1, 3))

    def combine_heads(self, x):
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (ops.shape(x)[0], ops.shape(x)[1], self.hidden_size))

    def call(self, inputs):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        output, self.last_weights = scaled_dot_product_attention(query, key, value)
        return self.output_linear(self.combine_heads(output))
