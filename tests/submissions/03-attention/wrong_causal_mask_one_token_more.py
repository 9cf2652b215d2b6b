# ---
# expected:
#   causal_mask:
#     fails: everything
#     mistake: one_token_more
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.tri(length + 1, dtype=bool)
    return mask
