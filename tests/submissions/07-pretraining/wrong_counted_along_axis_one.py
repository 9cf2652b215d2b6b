# ---
# expected:
#   mean_pooling:
#     fails:
#       - any leading axes, or none
#     mistake: counted_along_axis_one
# ---

# %% grade_id="mean_pooling"
def mean_pooling(states: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    kept = ops.cast(mask, states.dtype)[..., None]
    sums = ops.sum(states * kept, axis=-2)
    counts = ops.maximum(ops.sum(kept, axis=1), 1.0)
    pooled = sums / counts
    return pooled
