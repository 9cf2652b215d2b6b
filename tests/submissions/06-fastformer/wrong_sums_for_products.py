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
#     mistake: averaged
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
#     mistake: sums_for_products
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: sums_for_products_in_the_layer
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: f1_of_averages
#   build_fastformer_classifier:
#     fails:
#       - without blocks, words that score alike are averaged
#       - without blocks, the words are pooled by their scores
#       - the pooling ignores padding
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: averaged_in_the_blocks
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores += -1e9 * (1 - tf.cast(mask, tf.float32))
    return tf.reduce_mean(tf.nn.softmax(scores)[..., tf.newaxis] * x, axis=-2)


# %% grade_id="fastformer"
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

    def pooled(self, x, scores, mask):
        scores = scores / ops.sqrt(float(self.size_per_head))
        if mask is not None:
            scores += -1e9 * (1 - ops.cast(mask, "float32")[:, :, None])
        weights = ops.repeat(ops.softmax(scores, axis=1), self.size_per_head, axis=2)
        return ops.sum(weights * x, axis=1, keepdims=True)

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        p = self.pooled(q, self.query_score(q), mask) + self.key_linear(inputs)
        u = self.pooled(p, self.key_score(p), mask) + q
        return self.output_linear(u) + q


# %% grade_id="weighted_f1"
from sklearn.metrics import precision_score, recall_score


def weighted_f1(y_true, y_pred):
    precision = precision_score(y_true, y_pred, average="weighted", zero_division=0)
    recall = recall_score(y_true, y_pred, average="weighted", zero_division=0)
    return 2 * precision * recall / (precision + recall)
