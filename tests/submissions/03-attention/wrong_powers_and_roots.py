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


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(self.hidden_size)
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        return ops.matmul(ops.softmax(scores, axis=-1), value)
