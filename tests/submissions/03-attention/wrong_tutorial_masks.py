# ---
# expected:
#   average_attention:
#     fails:
#       - equal hidden states come back unchanged
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: softmax_over_one_score
#   scaled_dot_product_attention:
#     fails:
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_inverted
#   multi_head_self_attention:
#     fails:
#       - combining puts the heads side by side, first head first
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: mask_inverted and combined_by_reshape
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = tf.matmul(hidden, context[:, tf.newaxis])  # (B, T, 1)
    scores = scores / np.sqrt(hidden.shape[-1])
    weights = tf.nn.softmax(scores)
    return tf.reduce_sum(weights * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    matmul_qk = tf.matmul(query, key, transpose_b=True)
    dk = tf.cast(tf.shape(key)[-1], tf.float32)
    scaled_attention_logits = matmul_qk / tf.math.sqrt(dk)
    if mask is not None:
        scaled_attention_logits += tf.cast(mask, tf.float32) * -1e9
    attention_weights = tf.nn.softmax(scaled_attention_logits, axis=-1)
    return tf.matmul(attention_weights, value), attention_weights


# %% grade_id="multi_head_self_attention"
class MultiHeadSelfAttention(tf.keras.layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.d_model = hidden_size
        assert hidden_size % self.num_heads == 0
        self.depth = hidden_size // self.num_heads
        self.query_linear = tf.keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = tf.keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = tf.keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = tf.keras.layers.Dense(hidden_size)

    def separate_heads(self, x):
        batch_size = tf.shape(x)[0]
        x = tf.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def combine_heads(self, x):
        batch_size = tf.shape(x)[0]
        return tf.reshape(x, (batch_size, -1, self.d_model))

    def call(self, inputs, mask=None):
        q = self.separate_heads(self.query_linear(inputs))
        k = self.separate_heads(self.key_linear(inputs))
        v = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = mask[:, tf.newaxis, tf.newaxis, :]
        scaled_attention, attention_weights = scaled_dot_product_attention(q, k, v, mask)
        return self.output_linear(self.combine_heads(scaled_attention))
