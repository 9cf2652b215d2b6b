# %% grade_id="build_fastformer_classifier"
import math

import keras
from keras import layers, ops


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    # With the layer as it is handed out: dropping and multiplying commute.
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids)) * math.sqrt(hidden)
    for _ in range(num_layers):
        x = x + Fastformer(num_heads, size_per_head)(x, mask=mask)
    x = layers.Dropout(rate)(layers.GlobalAveragePooling1D()(x, mask=mask))
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
