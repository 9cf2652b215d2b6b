# ---
# expected:
#   average_attention:
#     fails:
#       - large scores give finite, correct results
#     mistake: nan_replaced
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#     mistake: fewer_axes_taken_for_padding
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: no_output_bias
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / ops.sqrt(ops.cast(ops.shape(hidden)[-1], "float32"))
    powers = ops.exp(scores)
    shares = powers / ops.sum(powers, axis=1, keepdims=True)
    shares = ops.where(ops.isnan(shares), 0.0, shares)
    return ops.einsum("bt,btd->bd", shares, hidden)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.einsum("...td,...sd->...ts", query, key) / math.sqrt(key.shape[-1])
    if mask is not None:
        if len(mask.shape) < len(scores.shape):
            mask = mask[:, None]
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores)
    return weights @ value, weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.supports_masking = True
        self.query_linear, self.key_linear, self.value_linear, self.output_linear = (
            layers.Dense(hidden_size, use_bias=False) for _ in range(4)
        )

    def call(self, inputs, mask=None):
        query, key, value = (
            self.separate_heads(linear(inputs))
            for linear in (self.query_linear, self.key_linear, self.value_linear)
        )
        if mask is not None:
            mask = ops.expand_dims(ops.expand_dims(mask, 1), 1)
        heads = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(heads))
