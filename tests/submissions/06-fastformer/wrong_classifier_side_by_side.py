# ---
# expected:
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#     mistake: unpredicted_left_out
#   build_fastformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - there are num_blocks Fastformer blocks
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: last_block_alone
# ---

# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    words = x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(words, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    scores, weights = [], []
    for c in np.unique(y_pred):
        hits = np.sum((y_pred == c) & (y_true == c))
        scores.append(2 * hits / (np.sum(y_pred == c) + np.sum(y_true == c)))
        weights.append(np.sum(y_true == c))
    return np.average(scores, weights=weights)
