# ---
# expected:
#   weighted_f1:
#     fails:
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: predictions_in_the_next_row
# ---

# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    classes = int(y_true.max()) + 1
    places = y_true.astype(int) * classes + y_pred
    counts = np.bincount(places, minlength=classes**2)[: classes**2]
    counts = counts.reshape(classes, classes)
    both = counts.sum(axis=0) + counts.sum(axis=1)
    f1 = 2 * counts.diagonal() / np.where(both, both, 1)
    return float((f1 * np.bincount(y_true)).sum() / len(y_true))
