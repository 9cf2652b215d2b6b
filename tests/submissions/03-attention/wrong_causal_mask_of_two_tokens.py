# ---
# expected:
#   causal_mask:
#     fails:
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: window_of_two
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    distance = ops.arange(length)[:, None] - ops.arange(length)
    mask = (distance == 0) | (distance == 1)
    return mask
