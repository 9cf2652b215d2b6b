# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - "any leading axes: (batch, heads, time, depth) works too"
#     mistake: hidden_like_the_lowest_score
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, ops.min(scores))
    weights = ops.softmax(scores)
    return ops.matmul(weights, value), weights
