# ---
# expected:
#   masked_max_pooling:
#     fails:
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: minus_1e3_but_for_nothing_at_all
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
# ---

# %% grade_id="masked_max_pooling"
def masked_max_pooling(x: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Keep, for each feature, the largest number among steps that count."""
    masked = ops.where(mask[..., None], x, -1000.0)
    pooled = ops.max(masked, axis=1)
    pooled = ops.where(ops.any(mask), pooled, 0.0)
    return pooled
