# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - words and means are dropped at the given rate, in training only
#     mistake: no_dropout_of_words
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
    x = layers.Embedding(vocabulary_size, hidden_size)(ids) * math.sqrt(hidden_size)
    for _ in range(num_layers):
        x = x + Fastformer(num_heads, size_per_head)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
