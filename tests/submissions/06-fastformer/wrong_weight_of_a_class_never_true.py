# ---
# expected:
#   weighted_f1:
#     fails:
#       - a class that is never true has no weight
#     mistake: weight_of_at_least_one
# ---

# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    scores, sizes = [], []
    for label in set(y_true.tolist()) | set(y_pred.tolist()):
        size = (y_true == label).sum()
        hits = (y_pred[y_true == label] == label).sum()
        scores.append(2 * hits / (size + (y_pred == label).sum()))
        sizes.append(size or 1)
    return np.average(scores, weights=sizes)
