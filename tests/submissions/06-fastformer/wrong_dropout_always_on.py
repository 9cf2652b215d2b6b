# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - words and means are dropped at the given rate, in training only
#       - the embeddings are scaled by the square root of the hidden size
#       - residual connections carry the words past layers that add nothing
#       - the mean ignores padding
#       - the probabilities are right
#       - 'padding changes nothing: the mask reaches every layer'
#     mistake: drops_while_predicting
# ---

# %% grade_id="build_fastformer_classifier"
import math

import keras
from keras import layers, ops


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    hidden_size = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(
        layers.Embedding(vocabulary_size, hidden_size)(ids) * math.sqrt(hidden_size), training=True
    )
    for _ in range(num_layers):
        x = x + Fastformer(num_heads, size_per_head)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x, training=True)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
