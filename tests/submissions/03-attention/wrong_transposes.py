# ---
# expected:
#   average_attention:
#     fails: everything
#     mistake: time_axis_kept
#   scaled_dot_product_attention:
#     fails: everything
#     relation: exception
#   multi_head_self_attention:
#     fails:
#       - combining puts the heads side by side, first head first
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: combined_by_column
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    d = tf.cast(tf.shape(hidden)[-1], hidden.dtype)
    weights = tf.nn.softmax(tf.einsum("btd,d->bt", hidden, context) / tf.sqrt(d), axis=1)
    return tf.matmul(weights[:, tf.newaxis, :], hidden)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = tf.matmul(query, tf.transpose(key)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = tf.where(mask, scores, -1e9)
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def separate_heads(self, x):
        x = tf.reshape(x, (-1, tf.shape(x)[1], self.num_heads, self.depth))
        return tf.transpose(x, [0, 2, 1, 3])

    def combine_heads(self, x):
        x = tf.transpose(x, [0, 2, 3, 1])
        return tf.reshape(x, (-1, tf.shape(x)[1], self.hidden_size))

    def attention(self, query, key, value, mask=None):
        scores = tf.matmul(query, key, transpose_b=True) / math.sqrt(self.depth)
        if mask is not None:
            scores = tf.where(mask, scores, -1e9)
        return tf.matmul(tf.nn.softmax(scores, axis=-1), value)
