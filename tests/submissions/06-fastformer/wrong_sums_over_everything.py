# ---
# expected:
#   additive_pooling:
#     fails:
#       - the numbers are right
#       - each head has its own weights
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: normalised_over_everything
# ---

# %% grade_id="additive_pooling"
def additive_pooling(
    x: tf.Tensor,
    scores: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tf.Tensor:
    """Sum up each sequence, weighted by a softmax of the scores.

    Args:
        x: vectors. Shape: (..., T, d).
        scores: one per vector. Shape: (..., T).
        mask: True where a vector may be pooled. Broadcasts to (..., T).

    Returns:
        One vector per sequence. Shape: (..., d).
    """
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.exp(scores) / ops.sum(ops.exp(scores))
    pooled = ops.sum(weights[..., None] * x, axis=-2)
    return pooled
