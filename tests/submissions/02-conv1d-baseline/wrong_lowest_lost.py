# ---
# expected:
#   masked_max_pooling:
#     fails:
#       - a masked step can't win if all other numbers are negative
#     mistake: none
# ---

# %% grade_id="masked_max_pooling"
def masked_max_pooling(x: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    pooled = ops.max(ops.where(mask[..., None], x, -1000.0), axis=1)
    nothing_found = pooled <= -999
    pooled = ops.where(nothing_found, 0.0, pooled)
    return pooled
