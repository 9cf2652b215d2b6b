# ---
# expected:
#   additive_pooling: {points: 0, relation: exception}
#   fastformer: {points: 1.75, mistake: query_score_twice}
#   build_fastformer_classifier: {points: 0.6}
#   weighted_f1: {points: 0.2, mistake: divided_by_classes}
# ---

# %% grade_id="additive_pooling"
from keras import ops


def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.sum(weights * x, axis=-2)


# %% grade_id="fastformer"
from keras import layers, ops


class Fastformer(layers.Layer):
    def __init__(self, num_heads, size_per_head, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        self.hidden = num_heads * size_per_head
        self.query_linear = layers.Dense(self.hidden, use_bias=False)
        self.key_linear = layers.Dense(self.hidden, use_bias=False)
        self.value_linear = layers.Dense(self.hidden, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(self.hidden)

    def globally(self, x, mask):
        scores = self.query_score(x) / self.size_per_head**0.5
        if mask is not None:
            scores = ops.where(ops.expand_dims(mask, 2), scores, -1e9)
        weights = ops.repeat(ops.softmax(scores, axis=1), self.size_per_head, axis=2)
        return ops.sum(weights * x, axis=1, keepdims=True)

    def call(self, inputs, mask=None):
        query = self.query_linear(inputs)
        product = self.globally(query, mask) * self.key_linear(inputs)
        attended = self.globally(product, mask) * self.value_linear(inputs)
        return self.output_linear(attended) + query


# %% grade_id="weighted_f1"
import numpy as np
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    classes, sizes = np.unique(y_true, return_counts=True)
    scores = f1_score(y_true, y_pred, labels=classes, average=None, zero_division=0)
    return np.mean(sizes * scores)
