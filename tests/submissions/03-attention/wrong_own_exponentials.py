# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: unscaled_scores and unstable_pooling
#   scaled_dot_product_attention:
#     fails:
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: one_sum_for_all_queries
#   multi_head_self_attention:
#     fails:
#       - large scores give finite, correct results
#     mistake: unstable_softmax_with_epsilon
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    exponentials = tf.exp(tf.tensordot(hidden, context, axes=1))
    weights = exponentials / tf.reduce_sum(exponentials, axis=1, keepdims=True)
    return tf.einsum("bt,btd->bd", weights, hidden)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True) / key.shape[-1] ** 0.5
    if mask is not None:
        logits = tf.where(mask, logits, -1e9)
    weights = tf.exp(logits) / tf.reduce_sum(tf.exp(logits))
    output = tf.matmul(weights, value)
    return output, weights


# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.query_linear, self.key_linear, self.value_linear = (
            layers.Dense(hidden_size, use_bias=False) for _ in range(3)
        )
        self.output_linear = layers.Dense(hidden_size)

    def separate_heads(self, x):
        return tf.stack(tf.split(x, self.num_heads, axis=-1), axis=1)

    def combine_heads(self, x):
        return tf.concat(tf.unstack(x, axis=1), axis=-1)

    def attention(self, query, key, value, mask=None):
        e = tf.exp(tf.matmul(query, key, transpose_b=True) / self.depth**0.5)
        if mask is not None:
            e = e * tf.cast(mask, e.dtype)
        return e / (tf.reduce_sum(e, axis=-1, keepdims=True) + 1e-12) @ value

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = mask[:, tf.newaxis, tf.newaxis, :]
        heads = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(heads))
