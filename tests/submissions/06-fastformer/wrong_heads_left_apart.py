# ---
# expected:
#   additive_pooling:
#     fails: everything
#     mistake: summed_over_everything
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: returned_in_the_loop
#   fastformer:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - both poolings together are right, also while training
#       - 'identical tokens: query, key and value are multiplied'
#       - large scores give finite, correct results
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#       - padded tokens get no weight in either pooling
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - the global query is pooled from the queries, in each head
#       - the inputs' width may differ from hidden_size
#       - when output_linear adds nothing, only the queries remain
#   fastformer_block:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - both together are right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#       - nothing else is dropped, and nothing when predicting
#       - output has the shape (batch, time, hidden_size)
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - the feed-forward half is right when Fastformer adds nothing
#       - the mask reaches Fastformer
#   build_fastformer_classifier:
#     fails:
#       - each row is a distribution
#       - embeddings are dropped at the given rate, in training only
#       - 'padding changes nothing: the mask reaches every block'
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the model has exactly the weights of these layers
#       - the pooling ignores padding
#       - the probabilities are right
#       - there are num_blocks Fastformer blocks
#       - there is one row of num_classes numbers per text
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
    weights = ops.softmax(scores, axis=-1)
    pooled = ops.sum(weights[..., None] * x)
    return pooled


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    total = 0.0
    for label, size in zip(*np.unique(y_true, return_counts=True), strict=True):
        called = np.sum(y_pred == label)
        hits = np.sum((y_pred == label) & (y_true == label))
        total += size * 2 * hits / (called + size)
        return total / len(y_true)
