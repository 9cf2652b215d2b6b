# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: negative_scores_raised
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: negative_scores_raised
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: none
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.relu(ops.matmul(hidden, context)) / math.sqrt(len(context))
    weights = ops.softmax(scores, axis=1)
    return ops.sum(weights[..., None] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.einsum("...td,...sd->...ts", query, key) / math.sqrt(key.shape[-1])
    scores = ops.where(scores > 0, scores, 0.0)
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights
