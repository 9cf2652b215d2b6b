# ---
# expected:
#   average_attention:
#     fails:
#       - equal hidden states come back unchanged
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: softmax_over_features
#   scaled_dot_product_attention:
#     fails:
#       - 'any leading axes: (batch, heads, time, depth) works too'
#     mistake: three_axes_only
#   multi_head_self_attention:
#     fails:
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: overlapping_heads
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = hidden * context / np.sqrt(context.shape[-1])
    weights = tf.nn.softmax(scores)
    output = tf.reduce_sum(weights * hidden, axis=1)
    return output


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = tf.matmul(query, tf.transpose(key, perm=[0, 2, 1])) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = tf.where(mask, scores, tf.fill(tf.shape(scores), -1e9))
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.matmul(weights, value), weights


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
        heads = []
        for h in range(self.num_heads):
            heads.append(x[:, :, h : h + self.depth])
        return tf.stack(heads, axis=1)

    def combine_heads(self, x):
        return tf.concat([x[:, h] for h in range(self.num_heads)], axis=-1)

    def call(self, inputs, mask=None):
        queries = self.separate_heads(self.query_linear(inputs))
        keys = self.separate_heads(self.key_linear(inputs))
        values = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = mask[:, tf.newaxis, :]
        heads = [
            scaled_dot_product_attention(queries[:, h], keys[:, h], values[:, h], mask)[0]
            for h in range(self.num_heads)
        ]
        return self.output_linear(self.combine_heads(tf.stack(heads, axis=1)))
