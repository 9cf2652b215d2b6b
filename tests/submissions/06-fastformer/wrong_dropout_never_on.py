# ---
# expected:
#   build_fastformer_classifier:
#     fails:
#       - words and means are dropped at the given rate, in training only
#     mistake: no_dropout
# ---

# %% grade_id="build_fastformer_classifier"
import math

import keras
from keras import layers


class Classifier(keras.Model):
    def __init__(self, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate):
        super().__init__()
        self.root = math.sqrt(num_heads * size_per_head)
        self.embedding = layers.Embedding(vocabulary_size, num_heads * size_per_head)
        self.layer_list = [Fastformer(num_heads, size_per_head) for _ in range(num_layers)]
        self.pool = layers.GlobalAveragePooling1D()
        self.dropout = layers.Dropout(rate)
        self.dense = layers.Dense(num_classes, activation="softmax")

    def call(self, ids, training=False):
        mask = ids != 0
        x = self.dropout(self.embedding(ids) * self.root, training=False)
        for layer in self.layer_list:
            x = x + layer(x, mask=mask)
        return self.dense(self.dropout(self.pool(x, mask=mask), training=False))


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    return Classifier(vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate)
