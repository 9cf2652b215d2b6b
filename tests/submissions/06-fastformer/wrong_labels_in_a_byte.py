# ---
# expected:
#   additive_pooling:
#     fails: everything
#     mistake: weights_without_an_axis
#   weighted_f1:
#     fails:
#       - classes may have any numbers
#     mistake: labels_in_a_byte
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
    weights = ops.softmax(scores, axis=-1)
    pooled = ops.sum(weights * x, axis=-2)
    return pooled


# %% grade_id="weighted_f1"
import numpy as np


def weighted_f1(y_true, y_pred):
    y_true, y_pred = y_true.astype(np.int8), y_pred.astype(np.int8)
    total = 0.0
    for label, size in zip(*np.unique(y_true, return_counts=True), strict=True):
        called = np.sum(y_pred == label)
        hits = np.sum((y_pred == label) & (y_true == label))
        total += size * 2 * hits / (called + size)
    return total / len(y_true)
