# ---
# expected:
#   additive_pooling:
#     fails:
#       - "output has the shape (batch, features): the sum runs over time"
#       - identical tokens come back unchanged
#       - the numbers are right
#       - "any leading axes: (batch, heads, time) works too"
#       - each head has its own weights
#     mistake: mask_not_tested_for_none
#   fastformer:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#       - when output_linear adds nothing, only the queries remain
#       - "identical tokens: query, key and value are multiplied"
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#     mistake: mask_not_tested_for_none
#   fastformer_block:
#     fails:
#       - output has the shape (batch, time, hidden_size)
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#     mistake: mask_not_tested_for_none_in_the_layer
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: weighted_inversely
#   build_fastformer_classifier:
#     fails:
#       - embeddings are dropped at the given rate, in training only
#     mistake: no_dropout_of_embeddings
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    scores = scores + (1.0 - ops.cast(mask, "float32")) * -1e9
    return ops.sum(ops.softmax(scores)[..., None] * x, axis=-2)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score, weights = 0.0, 0.0
    for c in np.unique(y_true):
        hits = np.sum((y_true == c) & (y_pred == c))
        precision = hits / max(np.sum(y_pred == c), 1)
        recall = hits / np.sum(y_true == c)
        weight = 1 / np.sum(y_true == c)
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        score += weight * f1
        weights += weight
    return score / weights


# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Embedding(vocabulary_size, hidden)(ids)
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
