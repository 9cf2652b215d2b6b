# ---
# expected:
#   additive_pooling:
#     fails:
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: mask_after_softmax
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
#     mistake: global_key_without_the_query
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: global_key_without_the_query_in_the_layer
#   weighted_f1:
#     fails: everything
#     mistake: a_score_for_each_class
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: global_key_without_the_query_in_the_blocks
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    weights = tf.nn.softmax(scores)
    if mask is not None:
        weights *= tf.cast(mask, weights.dtype)
    return tf.reduce_sum(weights[..., None] * x, -2)


# %% changes="fastformer"
class Fastformer(layers.Layer):
    def call(self, inputs, mask=None):
        query = self.query_linear(inputs)
        key = self.key_linear(inputs)
        query_scores = self.query_score(query) / self.size_per_head**0.5
        key_scores = self.key_score(key) / self.size_per_head**0.5
        if mask is not None:
            query_scores = ops.where(mask[:, :, None], query_scores, -1e9)
            key_scores = ops.where(mask[:, :, None], key_scores, -1e9)
        alpha = ops.repeat(ops.softmax(query_scores, axis=1), self.size_per_head, axis=2)
        beta = ops.repeat(ops.softmax(key_scores, axis=1), self.size_per_head, axis=2)
        global_query = ops.sum(alpha * query, axis=1, keepdims=True)
        products = global_query * key
        global_key = ops.sum(beta * key, axis=1, keepdims=True)
        return self.output_linear(global_key * query) + query


# %% grade_id="weighted_f1"
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    return f1_score(y_true, y_pred, average=None)


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
