# ---
# expected:
#   fastformer:
#     fails:
#       - when output_linear adds nothing, only the queries remain
#       - "the inputs' width may differ from hidden_size"
#     mistake: inputs_added
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#     mistake: inputs_added_in_the_layer
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
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: inputs_added_in_the_blocks
# ---

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

    def call(self, inputs, mask=None):
        q, k = self.query_linear(inputs), self.key_linear(inputs)
        mask = None if mask is None else mask[:, None, :]
        p = self.globally(q, self.query_score(q), mask) * k
        u = self.globally(p, self.key_score(p), mask) * q
        return self.output_linear(u) + inputs

    def globally(self, x, scores, mask):
        scores = ops.transpose(scores, (0, 2, 1)) / self.size_per_head**0.5
        x = ops.reshape(x, (-1, x.shape[1], self.num_heads, self.size_per_head))
        pooled = additive_pooling(ops.transpose(x, (0, 2, 1, 3)), scores, mask)
        return ops.reshape(pooled, (-1, 1, self.num_heads * self.size_per_head))


# %% grade_id="weighted_f1"
from sklearn.metrics import precision_score


def weighted_f1(y_true, y_pred):
    return precision_score(y_true, y_pred, average="weighted", zero_division=0)
