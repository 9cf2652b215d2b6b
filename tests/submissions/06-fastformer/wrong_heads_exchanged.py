# ---
# expected:
#   additive_pooling:
#     fails:
#       - large scores give finite, correct results
#     mistake: barely_lowered
#   weighted_f1:
#     fails:
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: as_many_classes_as_are_true
#   build_fastformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - there are num_blocks Fastformer blocks
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: heads_and_size_exchanged
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = scores + ops.where(mask, 0.0, -100.0)
    return ops.einsum("...t,...td->...d", ops.softmax(scores), x)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score, num_classes = 0.0, len(set(y_true.tolist()))
    sizes = np.unique(y_true, return_counts=True)[1]
    for label in range(num_classes):
        true, called = y_true == label, y_pred == label
        total = true.sum() + called.sum()
        f1 = 2 * (true & called).sum() / total if total else 0.0
        score += f1 * sizes[label]
    return score / len(y_true)


# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(size_per_head, num_heads, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
