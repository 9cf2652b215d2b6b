# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#     mistake: barely_hidden
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -20.0)
    weights = ops.softmax(scores, axis=-1)
    output = ops.matmul(weights, value)
    return output, weights
