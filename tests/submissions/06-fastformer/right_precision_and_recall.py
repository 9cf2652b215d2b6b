# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score = 0.0
    for label in np.unique(y_true):
        is_it = y_true == label
        said = y_pred == label
        hits = (is_it & said).sum()
        if hits == 0:
            continue
        precision = hits / said.sum()
        recall = hits / is_it.sum()
        f1 = 2 * precision * recall / (precision + recall)
        score += f1 * is_it.sum()
    return score / len(y_true)
