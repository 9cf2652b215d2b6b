# ---
# expected:
#   additive_pooling: {points: 2.25, mistake: sum_over_axis_one}
#   fastformer: {points: 1, mistake: softmax_over_heads}
#   build_fastformer_classifier: {points: 3, mistake: softmax_over_heads_in_the_layers}
#   weighted_f1: {points: 0.4, mistake: weighted_by_predictions}
# ---

# %% grade_id="additive_pooling"
from keras import ops


def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.sum(weights[..., None] * x, axis=1)


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

    def pool(self, x, scores, mask):
        scores = scores / self.size_per_head**0.5
        if mask is not None:
            scores = ops.where(mask[:, :, None], scores, -1e9)
        weights = ops.softmax(scores, axis=-1)
        weights = ops.repeat(weights, self.size_per_head, axis=-1)
        return ops.sum(weights * x, axis=1, keepdims=True)

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        k = self.key_linear(inputs)
        v = self.value_linear(inputs)
        p = self.pool(q, self.query_score(q), mask) * k
        u = self.pool(p, self.key_score(p), mask) * v
        return self.output_linear(u) + q


# %% grade_id="weighted_f1"
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    return f1_score(y_pred, y_true, average="weighted", zero_division=0)
