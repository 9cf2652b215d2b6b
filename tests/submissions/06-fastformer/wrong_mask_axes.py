# ---
# expected:
#   additive_pooling:
#     fails:
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#     mistake: axis_for_the_heads_added
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     relation: exception
#   fastformer_block:
#     fails:
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#     relation: exception
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#     mistake: nan_for_the_precision_of_a_class_never_predicted
#   build_fastformer_classifier:
#     fails:
#       - there is one row of num_classes numbers per text
#       - each row is a distribution
#       - the model has exactly the weights of these layers
#       - there are num_blocks Fastformer blocks
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     relation: exception
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        if len(x.shape) == 4:  # with heads
            mask = ops.expand_dims(mask, 1)
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.sum(ops.expand_dims(weights, -1) * x, axis=-2)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    total = 0.0
    for label in np.unique(y_true):
        hits = np.sum((y_true == label) & (y_pred == label))
        recall = hits / np.sum(y_true == label)
        precision = np.float64(hits) / np.sum(y_pred == label)
        both = precision + recall
        f1 = 0.0 if both == 0 else 2 * precision * recall / both
        total += f1 * np.mean(y_true == label)
    return total
