# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: scores_divided_by_d
#   scaled_dot_product_attention:
#     fails:
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scaled_after_softmax
#   multi_head_self_attention:
#     fails:
#       - head 1 sees the first columns, head 2 the next ones, and so on
#       - combining puts the heads side by side, first head first
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     relation: axes_moved
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    # The mean of the products instead of their sum keeps the scores small.
    scores = tf.reduce_mean(hidden * context, axis=-1)
    weights = tf.nn.softmax(scores, axis=1)
    return tf.squeeze(tf.matmul(weights[:, tf.newaxis, :], hidden), axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True)
    if mask is not None:
        logits = tf.where(mask, logits, -1e9)
    weights = tf.nn.softmax(logits, axis=-1)
    weights = weights / tf.math.sqrt(tf.cast(tf.shape(key)[-1], tf.float32))
    return tf.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def separate_heads(self, x):
        return tf.reshape(x, (-1, tf.shape(x)[1], self.num_heads, self.depth))

    def combine_heads(self, x):
        return tf.reshape(x, (-1, tf.shape(x)[1], self.hidden_size))

    def attention(self, query, key, value, mask=None):
        logits = tf.matmul(query, key, transpose_b=True) / tf.sqrt(float(self.depth))
        if mask is not None:
            logits = tf.where(mask, logits, -1e9)
        return tf.matmul(tf.nn.softmax(logits), value)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            mask = mask[:, tf.newaxis, tf.newaxis, :]
        output = self.attention(query, key, value, mask)
        return self.output_linear(self.combine_heads(output))
