# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - 'padding changes nothing: the mask reaches every layer'
#     mistake: mask_in_first_layer_only
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
    for number in range(num_layers):
        x = x + Fastformer(num_heads, size_per_head)(x, mask=None if number else mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
