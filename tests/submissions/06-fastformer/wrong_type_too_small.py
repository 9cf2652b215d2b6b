# ---
# expected:
#   weighted_f1:
#     fails:
#       - classes may have any numbers
#     mistake: shifted_in_their_type
# ---

# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    offset = np.concatenate([y_true, y_pred]).min()
    labels, guesses = y_true - offset, y_pred - offset
    count = 1 + max(labels.max(), guesses.max())
    table = np.zeros((count, count), int)
    np.add.at(table, (labels, guesses), 1)
    true, named, both = table.sum(axis=1), table.sum(axis=0), table.diagonal()
    f1 = np.divide(2 * both, true + named, out=np.zeros(count), where=true + named > 0)
    return (f1 * true).sum() / true.sum()
