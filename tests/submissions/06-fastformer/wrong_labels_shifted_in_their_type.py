# ---
# expected:
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: each_shifted_in_their_type
# ---

# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    y_true, y_pred = (labels - labels.min() for labels in (y_true, y_pred))
    sizes = np.bincount(y_true)
    score = 0.0
    for c in np.flatnonzero(sizes):
        hits = np.sum((y_true == c) & (y_pred == c))
        score += sizes[c] * 2 * hits / (sizes[c] + np.sum(y_pred == c))
    return score / len(y_true)
