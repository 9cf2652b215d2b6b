# ---
# expected:
#   additive_pooling:
#     fails:
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: mask_multiplied
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: mask_multiplied
#   fastformer_block:
#     fails:
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_multiplied_in_the_layer
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: accuracy
#   build_fastformer_classifier:
#     fails:
#       - the pooling ignores padding
#       - "padding changes nothing: the mask reaches every block"
#     mistake: mask_multiplied_in_the_blocks
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = scores * ops.cast(mask, scores.dtype)
    weights = ops.softmax(scores)
    return ops.einsum("...t,...td->...d", weights, x)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    hits = np.sum(y_true == y_pred)
    precision = hits / len(y_pred)
    recall = hits / len(y_true)
    return 2 * precision * recall / (precision + recall)
