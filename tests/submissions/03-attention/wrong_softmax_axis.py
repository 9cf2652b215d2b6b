# ---
# expected:
#   average_attention:
#     fails:
#       - equal hidden states come back unchanged
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: softmax_over_batch
#   scaled_dot_product_attention:
#     fails:
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: softmax_over_queries
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: softmax_over_queries
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = tf.tensordot(hidden, context, axes=1) / hidden.shape[-1] ** 0.5
    weights = tf.nn.softmax(scores, axis=0)
    return tf.reduce_sum(weights[..., tf.newaxis] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True) / tf.sqrt(float(key.shape[-1]))
    if mask is not None:
        logits = tf.where(mask, logits, -1e9)
    weights = tf.nn.softmax(logits, axis=-2)
    return tf.matmul(weights, value), weights
