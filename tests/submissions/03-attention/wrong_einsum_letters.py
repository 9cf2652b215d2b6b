# ---
# expected:
#   scaled_dot_product_attention:
#     fails: everything
#     relation: axes_moved
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: queries_as_keys
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = tf.einsum("...qd,...kd->...kq", query, key) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = tf.where(mask, scores, -1e9)
    weights = tf.nn.softmax(scores, axis=-1)
    output = tf.einsum("...kq,...kv->...qv", weights, value)
    return output, weights


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
        B, T = tf.shape(x)[0], tf.shape(x)[1]
        return tf.einsum("bthd->bhtd", tf.reshape(x, (B, T, self.num_heads, self.depth)))

    def combine_heads(self, x):
        B, T = tf.shape(x)[0], tf.shape(x)[2]
        return tf.reshape(tf.einsum("bhtd->bthd", x), (B, T, self.num_heads * self.depth))

    def call(self, inputs, mask=None):
        q = self.separate_heads(self.query_linear(inputs))
        k = self.separate_heads(self.query_linear(inputs))
        v = self.separate_heads(self.value_linear(inputs))
        scores = tf.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(self.depth)
        if mask is not None:
            scores = tf.where(mask[:, None, None, :], scores, -1e9)
        weights = tf.nn.softmax(scores, axis=-1)
        return self.output_linear(self.combine_heads(tf.einsum("bhqk,bhkd->bhqd", weights, v)))
