# ---
# expected:
#   weighted_f1:
#     fails:
#       - classes may have any numbers
#     mistake: negative_counted_from_the_end_in_tables
# ---

# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    places = int(max(y_true.max(), y_pred.max())) + 1
    called, are, both = (np.zeros(places) for _ in range(3))
    for truth, guess in zip(y_true, y_pred, strict=True):
        are[truth] += 1
        called[guess] += 1
        both[truth] += truth == guess
    f1 = np.divide(2 * both, called + are, out=np.zeros(places), where=called + are > 0)
    return np.average(f1, weights=are)
