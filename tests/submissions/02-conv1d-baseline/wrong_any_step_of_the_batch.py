# ---
# expected:
#   masked_max_pooling:
#     fails:
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: minus_1e4_but_for_nothing_at_all
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
# ---

# %% grade_id="masked_max_pooling"
def masked_max_pooling(x: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Keep, for each feature, the largest number among steps that count."""
    hidden = ops.where(ops.expand_dims(mask, -1), x, -1e4)
    pooled = ops.max(hidden, axis=1)
    pooled = ops.where(ops.any(mask), pooled, ops.zeros_like(pooled))
    return pooled
