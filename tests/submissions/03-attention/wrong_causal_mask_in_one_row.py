# ---
# expected:
#   causal_mask:
#     fails: everything
#     mistake: row_for_all_queries
# ---

# %% grade_id="causal_mask"
def causal_mask(length: int) -> tf.Tensor:
    mask = ops.arange(length) <= ops.arange(length)
    return mask
