# ---
# expected:
#   additive_pooling:
#     fails:
#       - identical tokens come back unchanged
#       - the numbers are right
#       - 'any leading axes: (batch, heads, time) works too'
#       - each head has its own weights
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: softmax_over_the_axis_before
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#     mistake: unpredicted_score_one
#   fastformer:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - both poolings together are right, also while training
#       - 'identical tokens: query, key and value are multiplied'
#       - large scores give finite, correct results
#       - padded tokens get no weight in either pooling
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - the global query is pooled from the queries, in each head
#       - the inputs' width may differ from hidden_size
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - both together are right
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - embeddings are dropped at the given rate, in training only
#       - 'padding changes nothing: the mask reaches every block'
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the pooling ignores padding
#       - the probabilities are right
#       - without blocks, the words are pooled by their scores
#       - without blocks, words that score alike are averaged
# ---

# %% grade_id="additive_pooling"
def additive_pooling(
    x: tf.Tensor,
    scores: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tf.Tensor:
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-2)
    pooled = ops.sum(weights[..., None] * x, axis=-2)
    return pooled


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    total = 0.0
    for label, size in zip(*np.unique(y_true, return_counts=True), strict=True):
        called = np.sum(y_pred == label)
        hits = np.sum((y_pred == label) & (y_true == label))
        total += size * (2 * hits / (called + size) if called else 1)
    return total / len(y_true)
