# ---
# expected:
#   average_attention:
#     fails: everything
#     mistake: summed_over_samples
#   scaled_dot_product_attention:
#     fails:
#       - output and weights have the right shapes
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: weights_not_returned
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: first_head_again
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    weights = ops.softmax(ops.matmul(hidden, context) / math.sqrt(hidden.shape[-1]))
    return sum(weights[b, :, None] * hidden[b] for b in range(hidden.shape[0]))


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value)


# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)

    def separate_heads(self, x):
        heads = [x[..., h * self.depth : (h + 1) * self.depth] for h in range(self.num_heads)]
        return ops.stack(heads, axis=1)

    def combine_heads(self, x):
        return ops.concatenate([x[:, h] for h in range(self.num_heads)], axis=-1)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        mask = None if mask is None else mask[:, None, :]
        outputs = []
        for h in range(self.num_heads):
            # One head at a time.
            outputs.append(scaled_dot_product_attention(query[:, 0], key[:, 0], value[:, 0], mask))
        return self.output_linear(ops.concatenate(outputs, axis=-1))
