# ---
# expected:
#   causal_mask:
#     fails:
#       - the entries are True or False
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: minus_infinity_to_add
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = np.triu(np.full((length, length), -np.inf), k=1)
    return mask
