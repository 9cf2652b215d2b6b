# ---
# expected:
#   causal_mask:
#     fails: everything
#     mistake: sizes_of_the_example
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.tri(3, dtype=bool)
    return mask
