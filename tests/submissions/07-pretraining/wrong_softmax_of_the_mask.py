# ---
# expected:
#   mean_pooling:
#     fails:
#       - padding adds nothing and isn't counted
#       - any leading axes, or none
#       - a fully padded sample stays finite and the others stay right
#     mistake: softmax_of_the_mask
# ---

# %% grade_id="mean_pooling"
def mean_pooling(states, mask):
    shares = ops.softmax(ops.where(mask, 1.0, 0.0), axis=-1)
    return ops.squeeze(ops.matmul(shares[..., None, :], states), axis=-2)
