# ---
# expected:
#   fastformer:
#     fails:
#       - when output_linear adds nothing, only the queries remain
#       - the inputs' width may differ from hidden_size
#     mistake: inputs_added
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: precision_only
#   build_fastformer_classifier:
#     fails:
#       - the embeddings are scaled by the square root of the hidden size
#       - the probabilities are right
#       - 'padding changes nothing: the mask reaches every layer'
#     mistake: no_queries_added_in_the_layers
# ---

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

    def call(self, inputs, mask=None):
        q, k, v = self.query_linear(inputs), self.key_linear(inputs), self.value_linear(inputs)
        mask = None if mask is None else mask[:, None, :]
        p = self.globally(q, self.query_score(q), mask) * k
        u = self.globally(p, self.key_score(p), mask) * v
        return self.output_linear(u) + inputs

    def globally(self, x, scores, mask):
        scores = ops.transpose(scores, (0, 2, 1)) / self.size_per_head**0.5
        x = ops.reshape(x, (-1, x.shape[1], self.num_heads, self.size_per_head))
        pooled = additive_pooling(ops.transpose(x, (0, 2, 1, 3)), scores, mask)
        return ops.reshape(pooled, (-1, 1, self.num_heads * self.size_per_head))


# %% grade_id="build_fastformer_classifier"
import keras
from keras import layers, ops


def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, num_layers, rate
):
    ids = keras.Input((max_length,), dtype="int32")
    mask = ids != 0
    x = layers.Embedding(vocabulary_size, num_heads * size_per_head)(ids)
    x = layers.Dropout(rate)(x * (num_heads * size_per_head) ** 0.5)
    for _ in range(num_layers):
        x = Fastformer(num_heads, size_per_head)(x, mask=mask)
    x = layers.GlobalAveragePooling1D()(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))


# %% grade_id="weighted_f1"
from sklearn.metrics import precision_score


def weighted_f1(y_true, y_pred):
    return precision_score(y_true, y_pred, average="weighted", zero_division=0)
