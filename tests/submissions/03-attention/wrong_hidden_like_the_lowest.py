# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: only_the_best_fit
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - "any leading axes: (batch, heads, time, depth) works too"
#     mistake: hidden_like_the_lowest_score
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    fits = ops.matmul(hidden, context) / math.sqrt(hidden.shape[-1])
    return tf.gather(hidden, ops.argmax(fits, axis=1), axis=1, batch_dims=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, ops.min(scores))
    weights = ops.softmax(scores)
    return ops.matmul(weights, value), weights
