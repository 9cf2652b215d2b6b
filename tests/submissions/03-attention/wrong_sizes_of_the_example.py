# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: scores_divided_by_root_of_two
#   scaled_dot_product_attention:
#     fails:
#       - the weights are right
#       - the output is right
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: divided_by_two
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scaled_by_number_of_heads
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    scores = ops.einsum("btd,d->bt", hidden, context) * 2**-0.5
    weights = ops.softmax(scores, axis=1)
    return ops.einsum("bt,btd->bd", weights, hidden)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / 2
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights
