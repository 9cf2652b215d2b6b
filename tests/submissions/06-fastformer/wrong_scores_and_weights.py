# ---
# expected:
#   additive_pooling:
#     fails: everything
#     mistake: weights_without_an_axis
#   fastformer:
#     fails:
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: query_score_twice
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: none
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: divided_by_classes
#   build_fastformer_classifier:
#     fails: everything
#     relation: exception
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    return ops.sum(weights * x, axis=-2)


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

    def globally(self, x, mask):
        scores = self.query_score(x) / self.size_per_head**0.5
        if mask is not None:
            scores = ops.where(ops.expand_dims(mask, 2), scores, -1e9)
        weights = ops.repeat(ops.softmax(scores, axis=1), self.size_per_head, axis=2)
        return ops.sum(weights * x, axis=1, keepdims=True)

    def call(self, inputs, mask=None):
        query = self.query_linear(inputs)
        product = self.globally(query, mask) * self.key_linear(inputs)
        attended = self.globally(product, mask) * query
        return self.output_linear(attended) + query


# %% grade_id="weighted_f1"
from sklearn.metrics import f1_score


def weighted_f1(y_true, y_pred):
    classes, sizes = np.unique(y_true, return_counts=True)
    scores = f1_score(y_true, y_pred, labels=classes, average=None, zero_division=0)
    return np.mean(sizes * scores)
