# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = tf.squeeze(tf.matmul(hidden, context[:, tf.newaxis]), axis=-1)
    weights = tf.nn.softmax(scores / tf.sqrt(float(hidden.shape[-1])))
    return tf.squeeze(tf.matmul(weights[:, tf.newaxis], hidden), axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = tf.einsum("...td,...sd->...ts", query, key) * key.shape[-1] ** -0.5
    if mask is not None:
        scores += (1.0 - tf.cast(mask, scores.dtype)) * scores.dtype.min
    weights = tf.nn.softmax(scores)
    return tf.einsum("...ts,...sv->...tv", weights, value), weights


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
        by_token = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.depth))
        return ops.transpose(by_token, (0, 2, 1, 3))

    def combine_heads(self, x):
        by_token = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(by_token, (-1, ops.shape(x)[2], self.hidden_size))

    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.depth)
        if mask is not None:
            scores -= 1e6 * ops.cast(ops.logical_not(mask), "float32")
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = ops.reshape(mask, (-1, 1, 1, ops.shape(inputs)[1]))
        heads = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="causal_mask"
def causal_mask(length):
    positions = np.arange(length)
    return positions[:, None] >= positions
