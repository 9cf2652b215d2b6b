# ---
# expected:
#   causal_mask:
#     fails:
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: diagonal_missing
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.tril(np.ones((length, length), bool), k=-1)
    return mask
