# %% grade_id="average_attention"
def average_attention(hidden, context):
    hidden, context = np.asarray(hidden), np.asarray(context)
    scores = hidden @ context / np.sqrt(len(context))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (
        np.average(hidden, axis=1, weights=None)
        if not weights.any()
        else ((weights / weights.sum(axis=1, keepdims=True))[:, None] @ hidden)[:, 0]
    )


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / ops.sqrt(float(key.shape[-1]))
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    scores -= ops.max(scores, axis=-1, keepdims=True)
    powers = ops.exp(scores)
    if mask is not None:
        # A sample that's all padding divides 0 by a small number.
        powers *= ops.cast(mask, powers.dtype)
    weights = powers / (ops.sum(powers, axis=-1, keepdims=True) + 1e-30)
    return [ops.matmul(weights, value), weights]


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

    def build(self, input_shape):
        for linear in (self.query_linear, self.key_linear, self.value_linear, self.output_linear):
            linear.build(input_shape)

    def separate_heads(self, x):
        return ops.stack(ops.split(x, self.num_heads, axis=-1), axis=1)

    def combine_heads(self, x):
        return ops.concatenate(ops.unstack(x, self.num_heads, axis=1), axis=-1)

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
        by_key = None if mask is None else mask[:, None, None, :]
        heads = self.attention(query, key, value, by_key)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="causal_mask"
def causal_mask(length):
    return ~np.triu(np.ones((length, length), bool), k=1)
