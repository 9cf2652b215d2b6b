# ---
# expected:
#   average_attention:
#     fails: everything
#     relation: exception
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: divided_by_half_of_d_k
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scaled_by_hidden_size
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = tf.linalg.matvec(hidden, context) / tf.sqrt(tf.shape(hidden)[-1])
    weights = tf.nn.softmax(scores, axis=1)
    return tf.reduce_sum(weights[..., tf.newaxis] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    d_k = key.shape[-1]
    root = d_k**1 / 2
    scores = query @ tf.linalg.matrix_transpose(key) / root
    if mask is not None:
        scores = tf.where(mask, scores, -1e9)
    weights = tf.nn.softmax(scores, axis=-1)
    return weights @ value, weights


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
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.hidden_size)
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        return ops.matmul(ops.softmax(scores, axis=-1), value)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        by_key = None if mask is None else mask[:, None, None, :]
        return self.output_linear(self.combine_heads(self.attention(query, key, value, by_key)))
