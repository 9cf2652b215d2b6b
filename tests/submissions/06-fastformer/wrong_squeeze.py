# ---
# expected:
#   additive_pooling:
#     fails:
#       - identical tokens come back unchanged
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#     mistake: squeezed
#   weighted_f1:
#     fails:
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: as_many_classes_with_their_sizes
#   build_fastformer_classifier:
#     fails: everything
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    return ops.squeeze(ops.softmax(scores)[..., None, :] @ x)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score = 0.0
    for place, size in enumerate(np.unique(y_true, return_counts=True)[1]):
        called = y_pred == place
        score += size * 2 * np.sum(called & (y_true == place)) / (size + np.sum(called))
    return score / len(y_true)
