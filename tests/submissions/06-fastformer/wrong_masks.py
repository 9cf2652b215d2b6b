# ---
# expected:
#   additive_pooling: {points: 2.25, mistake: mask_multiplied}
#   fastformer: {points: 4, mistake: mask_multiplied}
#   build_fastformer_classifier: {points: 3.4, mistake: mask_multiplied_in_the_layers}
#   weighted_f1: {points: 0.4, mistake: accuracy}
# ---

# %% grade_id="additive_pooling"
from keras import ops


def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = scores * ops.cast(mask, scores.dtype)
    weights = ops.softmax(scores)
    return ops.einsum("...t,...td->...d", weights, x)


# %% grade_id="weighted_f1"
import numpy as np


def weighted_f1(y_true, y_pred):
    hits = np.sum(y_true == y_pred)
    precision = hits / len(y_pred)
    recall = hits / len(y_true)
    return 2 * precision * recall / (precision + recall)
