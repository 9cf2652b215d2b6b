# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    labels = sorted(set(np.concatenate([y_true, y_pred]).tolist()))
    number = {label: place for place, label in enumerate(labels)}
    table = np.zeros((len(labels), len(labels)))
    for true, predicted in zip(y_true.tolist(), y_pred.tolist()):
        table[number[true], number[predicted]] += 1
    hits = np.diag(table)
    sizes = table.sum(axis=1)
    called = table.sum(axis=0)
    scores = 2 * hits / (sizes + called)
    return float((sizes * scores).sum() / sizes.sum())
