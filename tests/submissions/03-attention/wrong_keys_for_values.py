# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: scores_scaled_by_time
#   scaled_dot_product_attention:
#     fails:
#       - output and weights have the right shapes
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: keys_blended
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: keys_as_values
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.matmul(hidden, context) / math.sqrt(hidden.shape[1])
    weights = ops.softmax(scores, axis=1)
    output = ops.sum(weights[..., None] * hidden, axis=1)
    return output


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.einsum("...qd,...kd->...qk", query, key)
    scores = scores * key.shape[-1] ** -0.5
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores)
    output = ops.einsum("...qk,...kd->...qd", weights, key)
    return output, weights


# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads, self.depth = num_heads, hidden_size // num_heads
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)

    def separate_heads(self, x):
        return ops.stack(ops.split(x, self.num_heads, axis=2), axis=1)

    def combine_heads(self, x):
        return ops.concatenate([x[:, h] for h in range(self.num_heads)], axis=2)

    def call(self, inputs, mask=None):
        q = self.separate_heads(self.query_linear(inputs))
        k = self.separate_heads(self.key_linear(inputs))
        v = self.separate_heads(self.key_linear(inputs))
        scores = ops.einsum("bhqd,bhkd->bhqk", q, k) / self.depth**0.5
        if mask is not None:
            scores = ops.where(mask[:, None, None, :], scores, -1e9)
        heads = ops.einsum("bhqk,bhkd->bhqd", ops.softmax(scores), v)
        return self.output_linear(self.combine_heads(heads))
