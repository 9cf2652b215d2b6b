# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - there are num_layers Fastformer layers
#       - the embeddings are scaled by the square root of the hidden size
#       - residual connections carry the words past layers that add nothing
#       - the mean ignores padding
#       - the probabilities are right
#       - 'padding changes nothing: the mask reaches every layer'
#     mistake: weights_of_one_layer
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
    layer = Fastformer(num_heads, size_per_head)
    for _ in range(num_layers):
        x = x + layer(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
