# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: unscaled_scores
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: no_scaling
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: no_scaling
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    weights = tf.nn.softmax(tf.tensordot(hidden, context, axes=1), axis=1)
    return tf.reduce_sum(weights[..., tf.newaxis] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True)
    if mask is not None:
        logits = tf.where(mask, logits, -1e9)
    weights = tf.nn.softmax(logits, axis=-1)
    output = tf.matmul(weights, value)
    return output, weights
