# %% grade_id="additive_pooling"
import keras
from keras import ops


def additive_pooling(x, scores, mask=None):
    if mask is not None:
        mask = ops.broadcast_to(mask, ops.shape(scores))
    weights = keras.layers.Softmax(axis=-1)(scores, mask=mask)
    return ops.squeeze(ops.matmul(weights[..., None, :], x), axis=-2)


# %% grade_id="fastformer"
import keras
from keras import ops


class Fastformer(keras.layers.Layer):
    def __init__(self, num_heads, size_per_head):
        super().__init__()
        self.supports_masking = True
        hidden = num_heads * size_per_head
        self.query_linear = keras.layers.Dense(hidden, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden, use_bias=False)
        self.query_score = keras.layers.Dense(num_heads, use_bias=False)
        self.key_score = keras.layers.Dense(num_heads, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden)
        self.softmax = keras.layers.Softmax(axis=1)
        self.multiply = keras.layers.Multiply()
        self.add = keras.layers.Add()
        self.size_per_head = size_per_head

    def call(self, inputs, mask=None):
        q, k, v = self.query_linear(inputs), self.key_linear(inputs), self.value_linear(inputs)
        p = self.multiply([self.pool(q, self.query_score(q), mask), k])
        u = self.multiply([self.pool(p, self.key_score(p), mask), v])
        return self.add([self.output_linear(u), q])

    def pool(self, x, scores, mask):
        if mask is not None:
            mask = ops.broadcast_to(mask[:, :, None], ops.shape(scores))
        weights = self.softmax(scores / self.size_per_head**0.5, mask=mask)
        return ops.sum(ops.repeat(weights, self.size_per_head, axis=-1) * x, axis=1, keepdims=True)


# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    hidden = num_heads * size_per_head
    scaling = layers.Rescaling(hidden**0.5)
    scaling.supports_masking = True  # the mask travels along with the embeddings
    model = keras.Sequential(
        [
            keras.Input((max_length,)),
            layers.Embedding(vocabulary_size, hidden, mask_zero=True),
            scaling,
            layers.Dropout(rate),
            *[WithResidual(Fastformer(num_heads, size_per_head)) for _ in range(num_layers)],
            layers.GlobalAveragePooling1D(),
            layers.Dropout(rate),
            layers.Dense(num_classes, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy")
    return model


class WithResidual(layers.Layer):
    def __init__(self, layer):
        super().__init__()
        self.supports_masking = True
        self.layer = layer

    def call(self, inputs, mask=None):
        return layers.add([inputs, self.layer(inputs, mask=mask)])


# %% grade_id="weighted_f1"
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    return f1_score(y_true, y_pred, average="weighted", zero_division=0)
