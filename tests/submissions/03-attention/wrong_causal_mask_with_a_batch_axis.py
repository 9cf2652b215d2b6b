# ---
# expected:
#   causal_mask:
#     fails: everything
#     mistake: batch_axis
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.tril(ops.ones((1, length, length), dtype="bool"))
    return mask
