# %% grade_id="additive_pooling"
from keras import ops


def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.sum(ops.expand_dims(weights, -1) * x, axis=-2)


# %% grade_id="fastformer"
import keras
from keras import layers, ops


class Fastformer(layers.Layer):
    def __init__(self, num_heads, size_per_head, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        hidden = num_heads * size_per_head
        self.query_linear = layers.Dense(hidden, use_bias=False)
        self.key_linear = layers.Dense(hidden, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(hidden, use_bias=False)

    def heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.size_per_head))
        return ops.transpose(x, (0, 2, 1, 3))

    def pooled(self, x, score, mask):
        scores = ops.transpose(score(x), (0, 2, 1)) / self.size_per_head**0.5
        mask = None if mask is None else mask[:, None, :]
        one = additive_pooling(self.heads(x), scores, mask)
        return ops.reshape(one, (-1, 1, self.num_heads * self.size_per_head))

    def call(self, inputs, mask=None):
        q, k = self.query_linear(inputs), self.key_linear(inputs)
        p = self.pooled(q, self.query_score, mask) * k
        u = self.pooled(p, self.key_score, mask) * q
        return self.output_linear(u) + q


# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


class AttentionPooling(layers.Layer):
    def __init__(self, hidden_size):
        super().__init__()
        self.hidden = layers.Dense(hidden_size, activation="tanh")
        self.score = layers.Dense(1)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        scores = self.score(self.hidden(inputs))[..., 0]
        return additive_pooling(inputs, scores, mask)

    def compute_mask(self, inputs, mask=None):
        return None


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% grade_id="weighted_f1"
import numpy as np


def weighted_f1(y_true, y_pred):
    total = 0.0
    for c in np.unique(y_true):
        hits = np.sum((y_true == c) & (y_pred == c))
        f1 = 2 * hits / (np.sum(y_true == c) + np.sum(y_pred == c))
        total += f1 * np.mean(y_true == c)
    return float(total)


# %% grade_id="fastformer_block"
from keras import layers


class FastformerBlock(layers.Layer):
    def __init__(self, num_heads, size_per_head, ff_dim, rate):
        super().__init__()
        hidden_size = num_heads * size_per_head
        self.fastformer = Fastformer(num_heads, size_per_head)
        self.dropout_1 = layers.Dropout(rate)
        self.norm_1 = layers.LayerNormalization(epsilon=1e-6)
        self.expand = layers.Dense(ff_dim, activation="gelu")
        self.contract = layers.Dense(hidden_size)
        self.dropout_2 = layers.Dropout(rate)
        self.norm_2 = layers.LayerNormalization(epsilon=1e-6)
        self.supports_masking = True

    def call(self, inputs, mask=None):
        given = self.dropout_1(self.fastformer(inputs, mask=mask))
        x = self.norm_1(inputs + given)
        network = self.dropout_2(self.contract(self.expand(x)))
        return self.norm_2(x + network)
