# ---
# expected:
#   causal_mask:
#     fails:
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: nothing_hidden
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.ones((length, length), dtype="bool")
    return mask
