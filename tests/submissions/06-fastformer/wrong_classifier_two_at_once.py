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
#       - the embeddings are scaled by the square root of the hidden size
#       - the mean ignores padding
#       - the probabilities are right
#       - 'padding changes nothing: the mask reaches every layer'
#     mistake: no_embedding_scale and mean_over_padding
# ---

# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    inputs = keras.Input(shape=(max_length,), dtype="int32")
    words = layers.Embedding(vocabulary_size, num_heads * size_per_head)(inputs)
    x = layers.Dropout(rate)(words)
    for number in range(num_layers):
        layer = Fastformer(num_heads, size_per_head)
        x = layers.Add()([x, layer(x, mask=ops.not_equal(inputs, 0))])
    document = layers.Dropout(rate)(ops.sum(x, axis=1) / max_length)
    outputs = layers.Dense(num_classes, activation="softmax")(document)
    return keras.Model(inputs=inputs, outputs=outputs)


# %% grade_id="weighted_f1"
import collections

import numpy as np
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    labels = np.unique(y_true)
    scores = f1_score(y_true, y_pred, labels=labels, average=None, zero_division=0)
    support = collections.Counter(y_true.tolist())
    return sum(support[label] * score for label, score in zip(labels.tolist(), scores))
