# ---
# expected:
#   additive_pooling:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     mistake: minus_infinity
#   fastformer:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     mistake: minus_infinity
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     relation: not_finite
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#     mistake: nan_for_a_class_never_predicted
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = tf.where(mask, scores, -np.inf)
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.linalg.matvec(x, weights, transpose_a=True)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score = 0.0
    for label in np.unique(y_true):
        hits = np.sum((y_true == label) & (y_pred == label))
        precision = hits / np.sum(y_pred == label)
        recall = hits / np.sum(y_true == label)
        score += 2 * precision * recall / (precision + recall) * np.mean(y_true == label)
    return score
