# ---
# expected:
#   average_attention:
#     fails:
#       - equal hidden states come back unchanged
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: weighted_mean_of_mean
#   scaled_dot_product_attention:
#     fails:
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#     mistake: padding_raised
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: padding_raised
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    d = hidden.shape[-1]
    scores = ops.einsum("btd,d->bt", hidden, context) / d**0.5
    weights = ops.softmax(scores, axis=-1)
    # A weighted average over the time steps.
    return ops.mean(weights[:, :, None] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        padding = 1.0 - ops.cast(mask, "float32")
        scores = scores + padding * 1e9
    weights = ops.softmax(scores, axis=-1)
    output = ops.matmul(weights, value)
    return output, weights
