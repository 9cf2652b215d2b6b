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
#       - there are num_layers Fastformer layers
#       - the embeddings are scaled by the square root of the hidden size
#       - residual connections carry the words past layers that add nothing
#       - the mean ignores padding
#       - the probabilities are right
#       - 'padding changes nothing: the mask reaches every layer'
#     mistake: heads_and_size_exchanged
# ---

# %% grade_id="additive_pooling"
from keras import ops


def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = scores + ops.where(mask, 0.0, -100.0)
    return ops.einsum("...t,...td->...d", ops.softmax(scores), x)


# %% grade_id="weighted_f1"
import numpy as np


def weighted_f1(y_true, y_pred):
    score, num_classes = 0.0, len(set(y_true.tolist()))
    sizes = np.unique(y_true, return_counts=True)[1]
    for label in range(num_classes):
        true, called = y_true == label, y_pred == label
        total = true.sum() + called.sum()
        f1 = 2 * (true & called).sum() / total if total else 0.0
        score += f1 * sizes[label]
    return score / len(y_true)


# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ids != 0
    features = num_heads * size_per_head
    x = layers.Embedding(vocabulary_size, features)(ids) * features**0.5
    x = layers.Dropout(rate)(x)
    for _ in range(num_layers):
        x = layers.add([x, Fastformer(size_per_head, num_heads)(x, mask=mask)])
    mean = layers.GlobalAveragePooling1D()(x, mask=mask)
    mean = layers.Dropout(rate)(mean)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(mean))
