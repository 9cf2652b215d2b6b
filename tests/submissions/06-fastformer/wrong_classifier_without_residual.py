# ---
# expected:
#   weighted_f1:
#     fails:
#       - a class that is never predicted scores 0
#     mistake: unpredicted_left_out
#   build_fastformer_classifier:
#     fails:
#       - residual connections carry the words past layers that add nothing
#       - the probabilities are right
#       - 'padding changes nothing: the mask reaches every layer'
#     mistake: no_residual
# ---

# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    hidden = num_heads * size_per_head
    x = layers.Embedding(vocabulary_size, hidden)(ids) * hidden**0.5
    x = layers.Dropout(rate)(x)
    for _ in range(num_layers):
        x = Fastformer(num_heads, size_per_head)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% grade_id="weighted_f1"
import numpy as np


def weighted_f1(y_true, y_pred):
    scores, weights = [], []
    for c in np.unique(y_pred):
        hits = np.sum((y_pred == c) & (y_true == c))
        scores.append(2 * hits / (np.sum(y_pred == c) + np.sum(y_true == c)))
        weights.append(np.sum(y_true == c))
    return np.average(scores, weights=weights)
