# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: softmax_twice
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#     mistake: two_axes_taken_for_padding
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#     mistake: dropped_while_training
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.dot(hidden, context) / hidden.shape[-1] ** 0.5
    weights = ops.softmax(ops.softmax(scores, axis=-1), axis=-1)
    return ops.sum(ops.expand_dims(weights, -1) * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ ops.swapaxes(key, -1, -2) / math.sqrt(key.shape[-1])
    if mask is not None:
        if len(mask.shape) == 2:  # (B, S)
            mask = mask[:, None, None, :]
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores)
    return weights @ value, weights


# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.supports_masking = True
        for name in ("query", "key", "value"):
            setattr(self, f"{name}_linear", layers.Dense(hidden_size, use_bias=False))
        self.output_linear = layers.Dense(hidden_size)
        self.dropout = layers.Dropout(0.1)

    def build(self, input_shape):
        for linear in (self.query_linear, self.key_linear, self.value_linear, self.output_linear):
            linear.build(input_shape)

    def separate_heads(self, x):
        by_token = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.depth))
        return ops.transpose(by_token, (0, 2, 1, 3))

    def combine_heads(self, x):
        by_token = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(by_token, (-1, ops.shape(x)[2], self.hidden_size))

    def attention(self, query, key, value, mask=None):
        output, self.last_weights = scaled_dot_product_attention(query, key, value, mask)
        return output

    def call(self, inputs, mask=None, training=None):
        query, key, value = (
            self.separate_heads(linear(inputs))
            for linear in (self.query_linear, self.key_linear, self.value_linear)
        )
        if mask is not None:
            mask = ops.expand_dims(ops.expand_dims(mask, 1), 1)
        heads = self.attention(query, key, value, mask)
        output = self.output_linear(self.combine_heads(heads))
        return self.dropout(output, training=training)
