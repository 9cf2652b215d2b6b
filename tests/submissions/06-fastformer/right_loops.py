# %% grade_id="additive_pooling"
import numpy as np


def additive_pooling(x, scores, mask=None):
    x, scores = np.array(x), np.array(scores)
    kept = np.broadcast_to(True if mask is None else np.array(mask), scores.shape)
    output = np.zeros(x.shape[:-2] + x.shape[-1:], "float32")
    for place in np.ndindex(*scores.shape[:-1]):
        tokens = np.flatnonzero(kept[place])
        if len(tokens) == 0:
            continue
        powers = np.exp(scores[place][tokens] - scores[place][tokens].max())
        for token, power in zip(tokens, powers):
            output[place] += power / powers.sum() * x[place][token]
    return output


# %% grade_id="fastformer"
import keras
from keras import ops


class Fastformer(keras.layers.Layer):
    def __init__(self, num_heads, size_per_head, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        self.query_linear = keras.layers.Dense(num_heads * size_per_head, use_bias=False)
        self.key_linear = keras.layers.Dense(num_heads * size_per_head, use_bias=False)
        self.query_score = keras.layers.Dense(num_heads, use_bias=False)
        self.key_score = keras.layers.Dense(num_heads, use_bias=False)
        self.output_linear = keras.layers.Dense(num_heads * size_per_head, use_bias=False)

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        k = self.key_linear(inputs)
        products, outputs = [], []
        scores = self.query_score(q)
        for h in range(self.num_heads):
            columns = slice(h * self.size_per_head, (h + 1) * self.size_per_head)
            weights = self.weights_of(scores[:, :, h], mask)
            products.append(
                ops.sum(weights * q[:, :, columns], 1, keepdims=True) * k[:, :, columns]
            )
        p = ops.concatenate(products, axis=-1)
        scores = self.key_score(p)
        for h in range(self.num_heads):
            columns = slice(h * self.size_per_head, (h + 1) * self.size_per_head)
            weights = self.weights_of(scores[:, :, h], mask)
            outputs.append(ops.sum(weights * products[h], 1, keepdims=True) * q[:, :, columns])
        return self.output_linear(ops.concatenate(outputs, axis=-1)) + q

    def weights_of(self, scores, mask):
        scores = scores / ops.sqrt(ops.cast(self.size_per_head, scores.dtype))
        if mask is not None:
            scores = ops.where(mask, scores, ops.full_like(scores, -1e9))
        powers = ops.exp(scores - ops.max(scores, axis=1, keepdims=True))
        return (powers / ops.sum(powers, axis=1, keepdims=True))[:, :, None]


# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


class Pooling(layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.inner = layers.Dense(size, activation="tanh")
        self.outer = layers.Dense(1)

    def call(self, inputs, mask=None):
        scores = ops.squeeze(self.outer(self.inner(inputs)), axis=-1)
        weights = ops.softmax(ops.where(mask, scores, -1e9))
        return ops.einsum("bt,btd->bd", weights, inputs)


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((None,), dtype="int32")
    mask = layers.Lambda(lambda words: words != 0)(ids)
    x = layers.Embedding(vocabulary_size, hidden)(ids)
    x = layers.Dropout(rate)(x)
    blocks = [FastformerBlock(num_heads, size_per_head, ff_dim, rate) for _ in range(num_blocks)]
    for inner in blocks:
        x = inner(x, mask=mask)
    outputs = layers.Dense(num_classes, activation="softmax")(Pooling(hidden)(x, mask=mask))
    return keras.Model(inputs=ids, outputs=outputs)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    y_true, y_pred = list(y_true), list(y_pred)
    score = 0
    for c in set(y_true) | set(y_pred):
        hits = sum(1 for true, guess in zip(y_true, y_pred) if true == c and guess == c)
        if hits == 0:
            continue
        precision = hits / y_pred.count(c)
        recall = hits / y_true.count(c)
        score += 2 * precision * recall / (precision + recall) * y_true.count(c) / len(y_true)
    return score


# %% grade_id="fastformer_block"
import keras
from keras import ops


class FastformerBlock(keras.layers.Layer):
    def __init__(self, num_heads, size_per_head, ff_dim, rate):
        super().__init__()
        self.fastformer = Fastformer(num_heads, size_per_head)
        self.norm_1 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.expand = keras.layers.Dense(ff_dim)
        self.contract = keras.layers.Dense(num_heads * size_per_head)
        self.norm_2 = keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropouts = [keras.layers.Dropout(rate) for _ in range(2)]

    def network(self, x):
        return self.contract(ops.gelu(self.expand(x), approximate=False))

    def call(self, inputs, mask=None, training=None):
        x = inputs
        for part, dropout, norm in zip(
            (lambda x: self.fastformer(x, mask=mask), self.network),
            self.dropouts,
            (self.norm_1, self.norm_2),
        ):
            x = norm(x + dropout(part(x), training=training))
        return x
