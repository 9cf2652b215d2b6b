# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#     mistake: zeros_taken_for_padding_without_a_mask
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#     mistake: zeros_taken_for_padding
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is None:
        mask = ops.expand_dims(ops.any(ops.not_equal(key, 0), axis=-1), -2)
    weights = ops.softmax(ops.where(mask, scores, -1e9), axis=-1)
    return ops.matmul(weights, value), weights
