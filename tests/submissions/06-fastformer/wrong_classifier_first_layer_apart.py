# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - there are num_layers Fastformer layers
#       - the probabilities are right
#     mistake: one_layer_at_least
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
    x = x + Fastformer(num_heads, size_per_head)(x, mask=mask)
    for _ in range(num_layers - 1):
        x = x + Fastformer(num_heads, size_per_head)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
