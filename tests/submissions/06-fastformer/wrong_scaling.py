# ---
# expected:
#   additive_pooling: {points: 1.2, mistake: scaled_again}
#   fastformer: {points: 1.75, mistake: scaled_by_hidden_size}
#   build_fastformer_classifier: {points: 3, mistake: scaled_by_hidden_size_in_the_layers}
#   weighted_f1: {points: 0.2, mistake: factor_missing}
# ---

# %% grade_id="additive_pooling"
from keras import ops


def additive_pooling(x, scores, mask=None):
    scores = scores / x.shape[-1] ** 0.5
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    return ops.sum(ops.softmax(scores)[..., None] * x, axis=-2)


# %% grade_id="fastformer"
from keras import layers, ops


class Fastformer(layers.Layer):
    def __init__(self, num_heads, size_per_head, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        hidden = num_heads * size_per_head
        self.query_linear = layers.Dense(hidden, use_bias=False)
        self.key_linear = layers.Dense(hidden, use_bias=False)
        self.value_linear = layers.Dense(hidden, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(hidden)

    def summary(self, x, scores, mask):
        scores = scores / ops.sqrt(ops.cast(x.shape[-1], "float32"))
        if mask is not None:
            scores = ops.where(mask[..., None], scores, -1e9)
        weights = ops.softmax(scores, axis=1)
        time = x.shape[1]
        x = ops.reshape(x, (-1, time, self.num_heads, self.size_per_head))
        pooled = ops.einsum("bth,bthd->bhd", weights, x)
        return ops.reshape(pooled, (-1, 1, self.num_heads * self.size_per_head))

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        p = self.summary(q, self.query_score(q), mask) * self.key_linear(inputs)
        u = self.summary(p, self.key_score(p), mask) * self.value_linear(inputs)
        return self.output_linear(u) + q


# %% grade_id="weighted_f1"
import numpy as np


def weighted_f1(y_true, y_pred):
    score = 0
    for c in np.unique(y_true):
        hits = np.sum((y_true == c) & (y_pred == c))
        precision = hits / max(np.sum(y_pred == c), 1)
        recall = hits / np.sum(y_true == c)
        if hits:
            score += np.mean(y_true == c) * precision * recall / (precision + recall)
    return score
