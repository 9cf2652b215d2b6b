# ---
# expected:
#   additive_pooling:
#     fails:
#       - large scores give finite, correct results
#     mistake: renormalised_after_softmax
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: sizes_in_order_of_appearance
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    weights = ops.softmax(scores)
    if mask is not None:
        weights = ops.where(mask, weights, 0.0)
        weights /= ops.sum(weights, axis=-1, keepdims=True) + 1e-9
    return ops.matmul(weights[..., None, :], x)[..., 0, :]


# %% grade_id="weighted_f1"
import collections


def weighted_f1(y_true, y_pred):
    sizes = collections.Counter(y_true.tolist())
    scores = []
    for label in sorted(sizes):
        hits = np.sum((y_true == label) & (y_pred == label))
        scores.append(2 * hits / (sizes[label] + np.sum(y_pred == label)))
    return sum(np.array(scores) * list(sizes.values())) / len(y_true)
