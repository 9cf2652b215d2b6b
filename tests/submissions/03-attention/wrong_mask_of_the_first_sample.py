# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_of_the_first_sample
# ---

# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.supports_masking = True
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)

    def separate_heads(self, x):
        return separate_heads(x, self.num_heads)

    def combine_heads(self, x):
        return combine_heads(x)

    def attention(self, query, key, value, mask=None):
        output, self.last_weights = scaled_dot_product_attention(query, key, value, mask)
        return output

    def call(self, inputs, mask=None):
        roles = (self.query_linear, self.key_linear, self.value_linear)
        parts = [self.separate_heads(role(inputs)) for role in roles]
        if mask is not None:
            mask = mask[:1, None, None, :]
        return self.output_linear(self.combine_heads(self.attention(*parts, mask)))
