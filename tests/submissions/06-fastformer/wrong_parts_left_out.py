# ---
# expected:
#   additive_pooling:
#     fails: everything
#     mistake: matrix_product_of_the_batch
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: brackets_missing
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
    pooled = ops.matmul(weights, x)
    return pooled


# %% grade_id="weighted_f1"
import numpy as np


def weighted_f1(y_true, y_pred):
    total = 0.0
    for label, size in zip(*np.unique(y_true, return_counts=True), strict=True):
        called = np.sum(y_pred == label)
        hits = np.sum((y_pred == label) & (y_true == label))
        total += size * (2 * hits / size + called)
    return total / len(y_true)
