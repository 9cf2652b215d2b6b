# ---
# expected:
#   additive_pooling:
#     fails:
#       - "any leading axes: (batch, heads, time) works too"
#       - each head has its own weights
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#     mistake: sum_over_axis_one
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
#     mistake: softmax_over_heads
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: softmax_over_heads_in_the_layer
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: weighted_by_predictions
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: softmax_over_heads_in_the_blocks
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.sum(weights[..., None] * x, axis=1)


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
        p = self.pool(q, self.query_score(q), mask) * k
        u = self.pool(p, self.key_score(p), mask) * q
        return self.output_linear(u) + q


# %% grade_id="weighted_f1"
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    return f1_score(y_pred, y_true, average="weighted", zero_division=0)
