# ---
# expected:
#   additive_pooling:
#     fails:
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: mask_after_softmax
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - large scores give finite, correct results
#       - a fully padded sample stays finite and the others stay right
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - the pooling ignores padding
#       - "padding changes nothing: the mask reaches every block"
# ---

# %% grade_id="additive_pooling"
def additive_pooling(
    x: tf.Tensor,
    scores: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tf.Tensor:
    if mask is not None:
        # padding adds nothing to the sum
        x = ops.where(mask[..., None], x, 0.0)
    weights = ops.softmax(scores, axis=-1)[..., None]
    pooled = ops.sum(weights * x, axis=-2)
    return pooled
