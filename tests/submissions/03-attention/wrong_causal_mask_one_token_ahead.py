# ---
# expected:
#   causal_mask:
#     fails:
#       - each token may attend to itself and to all earlier ones, and to no later one
#     mistake: one_token_ahead
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.tril(ops.ones((length, length), dtype="bool"), k=1)
    return mask
