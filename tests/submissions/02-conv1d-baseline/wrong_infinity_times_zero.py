# ---
# expected:
#   masked_max_pooling:
#     fails:
#       - a text without any step gives zeros, and the others stay right
#       - it works in a Keras model
#     mistake: minus_infinity_times_zero
#   build_conv1d_classifier:
#     fails:
#       - a text of padding alone has a prediction, too
# ---

# %% grade_id="masked_max_pooling"
def masked_max_pooling(x: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    pooled = ops.max(ops.where(mask[..., None], x, -math.inf), axis=1)
    has_words = ops.cast(ops.any(mask, axis=1, keepdims=True), "float32")
    pooled = pooled * has_words
    return pooled
