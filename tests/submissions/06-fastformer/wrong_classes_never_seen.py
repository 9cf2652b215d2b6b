# ---
# expected:
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#     mistake: stopped_at_a_class_never_predicted
# ---

# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    total = 0.0
    for label in sorted(set(y_true.tolist())):
        called = np.count_nonzero(y_pred == label)
        if not called:
            break
        size = np.count_nonzero(y_true == label)
        hits = np.count_nonzero((y_true == label) & (y_pred == label))
        total += size * 2 * hits / (called + size)
    return total / len(y_true)
