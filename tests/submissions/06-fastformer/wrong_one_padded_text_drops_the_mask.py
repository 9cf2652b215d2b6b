# ---
# expected:
#   additive_pooling:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_dropped_for_all
#   fastformer:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     relation: partly
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     relation: partly
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#       - a class that is never true has no weight
#     mistake: counts_paired_by_position
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        tokens = ops.sum(ops.cast(mask, scores.dtype), axis=-1)
        nothing_left = ops.any(tokens == 0)
        scores = ops.where(nothing_left, scores, ops.where(mask, scores, -1e9))
    return ops.sum(ops.softmax(scores)[..., None] * x, axis=-2)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    labels, sizes = np.unique(y_true, return_counts=True)
    all_called = np.unique(y_pred, return_counts=True)[1]
    scores = np.zeros(len(labels))
    for place, called in enumerate(all_called[: len(labels)]):
        hits = ((y_true == labels[place]) & (y_pred == labels[place])).sum()
        scores[place] = 2 * hits / (sizes[place] + called)
    return float((scores * sizes).sum() / sizes.sum())
