# ---
# expected:
#   causal_mask:
#     fails:
#       - the entries are True or False
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: upper_triangle and numbers
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.triu(np.ones((length, length)))
    return mask
