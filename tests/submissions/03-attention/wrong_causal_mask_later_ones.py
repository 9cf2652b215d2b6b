# ---
# expected:
#   causal_mask:
#     fails:
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: upper_triangle
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.triu(ops.ones((length, length), dtype="bool"))
    return mask
