# ---
# expected:
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: not_divided
#   build_fastformer_classifier:
#     fails:
#       - without blocks, words that score alike are averaged
#       - without blocks, the words are pooled by their scores
#       - the pooling ignores padding
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: embeddings_scaled and words_pooled_without_mask
# ---

# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids) * math.sqrt(hidden))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% grade_id="weighted_f1"
import collections

from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    labels = np.unique(y_true)
    scores = f1_score(y_true, y_pred, labels=labels, average=None, zero_division=0)
    support = collections.Counter(y_true.tolist())
    return sum(support[label] * score for label, score in zip(labels.tolist(), scores))
