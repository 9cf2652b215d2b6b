# ---
# expected:
#   masked_max_pooling:
#     fails:
#       - a masked step can't win if all other numbers are negative
#     mistake: none
# ---

# %% grade_id="masked_max_pooling"
def masked_max_pooling(x: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Keep, for each feature, the largest number among steps that count.

    Args:
        x: numbers of each step. Shape: (B, steps, F).
        mask: True for a step that counts. Shape: (B, steps).

    Returns:
        The largest numbers; zeros where no step counts. Shape: (B, F).
    """
    pooled = ops.max(ops.where(mask[..., None], x, -1000.0), axis=1)
    nothing_found = pooled <= -999
    pooled = ops.where(nothing_found, 0.0, pooled)
    return pooled
