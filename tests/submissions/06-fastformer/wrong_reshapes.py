# ---
# expected:
#   additive_pooling:
#     fails:
#       - identical tokens come back unchanged
#       - the numbers are right
#       - each head has its own weights
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: sigmoid and scaled_again
#   fastformer:
#     fails:
#       - "identical tokens: query, key and value are multiplied"
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: heads_reshaped
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: heads_reshaped_in_the_layer
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: per_cent
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: heads_reshaped_in_the_blocks
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    scores = scores / tf.math.sqrt(tf.cast(tf.shape(x)[-1], tf.float32))
    gates = tf.sigmoid(scores)
    if mask is not None:
        gates = tf.where(mask, gates, tf.zeros_like(gates))
    return tf.squeeze(tf.matmul(gates[..., tf.newaxis, :], x), axis=-2)


# %% grade_id="fastformer"
class Fastformer(layers.Layer):
    def __init__(self, num_heads, size_per_head, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        self.hidden = num_heads * size_per_head
        self.query_linear = layers.Dense(self.hidden, use_bias=False)
        self.key_linear = layers.Dense(self.hidden, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(self.hidden, use_bias=False)

    def call(self, inputs, mask=None):
        length = ops.shape(inputs)[1]

        def attention_pool(x, score):
            logits = ops.transpose(score(x), (0, 2, 1)) / math.sqrt(self.size_per_head)
            if mask is not None:
                logits = ops.where(ops.expand_dims(mask, 1), logits, -1e9)
            x = ops.reshape(x, (-1, self.num_heads, length, self.size_per_head))
            pooled = ops.sum(ops.softmax(logits)[..., None] * x, axis=2)
            return ops.reshape(pooled, (-1, 1, self.hidden))

        query = self.query_linear(inputs)
        weighted = attention_pool(query, self.query_score) * self.key_linear(inputs)
        attended = attention_pool(weighted, self.key_score) * query
        return self.output_linear(attended) + query


# %% grade_id="weighted_f1"
from sklearn.metrics import classification_report


def weighted_f1(y_true, y_pred):
    report = classification_report(y_true, y_pred, output_dict=True, zero_division=0)
    return round(100 * report["weighted avg"]["f1-score"], 6)


# %% grade_id="build_fastformer_classifier"
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
