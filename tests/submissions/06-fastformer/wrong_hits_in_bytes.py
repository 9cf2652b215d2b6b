# ---
# expected:
#   weighted_f1:
#     fails:
#       - the number is right
#     mistake: hits_in_a_byte
# ---

# %% grade_id="weighted_f1"
def weighted_f1(y_true: np.ndarray, y_pred: np.ndarray) -> float:
    classes, sizes = np.unique(y_true, return_counts=True)
    # one-hot, (texts, classes); small numbers, as there are many texts
    true = (y_true[:, None] == classes).astype("uint8")
    pred = (y_pred[:, None] == classes).astype("uint8")
    hits = np.einsum("nc,nc->c", true, pred)
    called = pred.sum(axis=0)
    f1 = 2.0 * hits / (called + sizes)
    score = float(np.average(f1, weights=sizes))
    return score
