# ---
# expected:
#   average_attention:
#     fails: everything
#     mistake: summed_over_features
#   scaled_dot_product_attention:
#     fails:
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - the output is right
#       - 'any leading axes: (batch, heads, time, depth) works too'
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: softmax_over_axis_one
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: softmax_over_heads
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.sum(hidden * context, axis=-1) / math.sqrt(context.shape[0])
    weights = ops.softmax(scores, axis=1)
    output = ops.sum(ops.expand_dims(weights, -1) * hidden, axis=-1)
    return output


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True) / math.sqrt(query.shape[-1])
    if mask is not None:
        logits = tf.where(mask, logits, -1e9)
    weights = tf.keras.layers.Softmax(axis=1)(logits)
    return weights @ value, weights
