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
        self.query_score = keras.layers.Dense(num_heads, use_bias=False)
        self.key_score = keras.layers.Dense(num_heads, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden, use_bias=False)
        self.softmax = keras.layers.Softmax(axis=1)
        self.multiply = keras.layers.Multiply()
        self.add = keras.layers.Add()
        self.size_per_head = size_per_head

    def call(self, inputs, mask=None):
        q, k = self.query_linear(inputs), self.key_linear(inputs)
        p = self.multiply([self.pool(q, self.query_score(q), mask), k])
        u = self.multiply([self.pool(p, self.key_score(p), mask), q])
        return self.add([self.output_linear(u), q])

    def pool(self, x, scores, mask):
        if mask is not None:
            mask = ops.broadcast_to(mask[:, :, None], ops.shape(scores))
        weights = self.softmax(scores / self.size_per_head**0.5, mask=mask)
        return ops.sum(ops.repeat(weights, self.size_per_head, axis=-1) * x, axis=1, keepdims=True)


# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers


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
    # The mask travels along with the embeddings.
    model = keras.Sequential(
        [
            keras.Input((max_length,)),
            layers.Embedding(vocabulary_size, hidden, mask_zero=True),
            layers.Dropout(rate),
            *[FastformerBlock(num_heads, size_per_head, ff_dim, rate) for _ in range(num_blocks)],
            AttentionPooling(hidden),
            layers.Dense(num_classes, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy")
    return model


# %% grade_id="weighted_f1"
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    return f1_score(y_true, y_pred, average="weighted", zero_division=0)


# %% grade_id="fastformer_block"
import keras


class FastformerBlock(keras.layers.Layer):
    def __init__(self, num_heads, size_per_head, ff_dim, rate, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        hidden = num_heads * size_per_head
        self.attention = Fastformer(num_heads, size_per_head)
        self.first = keras.Sequential([keras.layers.Dropout(rate)])
        self.first_norm = keras.layers.LayerNormalization()
        self.network = keras.Sequential(
            [
                keras.layers.Dense(ff_dim),
                keras.layers.Activation("gelu"),
                keras.layers.Dense(hidden),
                keras.layers.Dropout(rate),
            ]
        )
        self.second_norm = keras.layers.LayerNormalization()
        self.add = keras.layers.Add()

    def call(self, inputs, mask=None):
        x = self.first_norm(self.add([self.first(self.attention(inputs, mask=mask)), inputs]))
        return self.second_norm(self.add([self.network(x), x]))
