# ---
# expected:
#   additive_pooling:
#     fails:
#       - large scores give finite, correct results
#     mistake: unstable_softmax_by_hand
#   fastformer:
#     fails:
#       - large scores give finite, correct results
#     mistake: unstable_softmax
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#       - the number is right
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: largest_label_left_out
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    powers = ops.exp(scores)
    if mask is not None:
        powers = powers * ops.cast(mask, "float32")
    total = ops.sum(powers, axis=-1, keepdims=True) + keras.backend.epsilon() ** 4
    return ops.sum((powers / total)[..., None] * x, axis=-2)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score = 0.0
    for label in range(y_true.max()):
        true, called = y_true == label, y_pred == label
        if true.any():
            score += true.mean() * 2 * (true & called).sum() / (true.sum() + called.sum())
    return score
