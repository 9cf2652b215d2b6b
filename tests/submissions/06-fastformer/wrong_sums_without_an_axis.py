# ---
# expected:
#   additive_pooling:
#     fails:
#       - 'output has the shape (batch, features): the sum runs over time'
#       - the numbers are right
#       - 'any leading axes: (batch, heads, time) works too'
#       - each head has its own weights
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: sums_without_an_axis
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
    weights = ops.exp(scores) / ops.sum(ops.exp(scores), axis=-1)
    pooled = ops.sum(weights[..., None] * x, axis=-2)
    return pooled
