# ---
# expected:
#   causal_mask:
#     fails:
#       - the entries are True or False
#     mistake: numbers
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.tril(ops.ones((length, length)))
    return mask
