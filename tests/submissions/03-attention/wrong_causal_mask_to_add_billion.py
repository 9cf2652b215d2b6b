# ---
# expected:
#   causal_mask:
#     fails:
#       - the entries are True or False
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: large_negative_number_to_add
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = (1 - ops.tril(ops.ones((length, length)))) * -1e9
    return mask
