# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    true, predicted, hits = {}, {}, {}
    for label, guess in zip(y_true.tolist(), y_pred.tolist()):
        true[label] = true.get(label, 0) + 1
        predicted[guess] = predicted.get(guess, 0) + 1
        if label == guess:
            hits[label] = hits.get(label, 0) + 1
    total = 0.0
    for label, size in true.items():
        both = size + predicted.get(label, 0)
        total += size * 2 * hits.get(label, 0) / both
    return total / len(y_true)
