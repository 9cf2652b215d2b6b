# ---
# expected:
#   additive_pooling:
#     fails:
#       - "any leading axes: (batch, heads, time) works too"
#     mistake: batch_axis_added
#   fastformer:
#     fails:
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scores_averaged_over_heads
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: scores_averaged_over_heads_in_the_layer
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#     mistake: counts_in_the_labels_type
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: scores_averaged_over_heads_in_the_blocks
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    pooled = ops.sum(ops.softmax(scores)[..., None] * x, axis=-2)
    return ops.reshape(pooled, (-1, *x.shape[1:-2], x.shape[-1]))


# %% grade_id="fastformer"
class Fastformer(keras.layers.Layer):
    def __init__(self, num_heads, size_per_head):
        super().__init__()
        self.size_per_head = size_per_head
        hidden = num_heads * size_per_head
        self.query_linear = keras.layers.Dense(hidden, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden, use_bias=False)
        self.query_score = keras.layers.Dense(num_heads, use_bias=False)
        self.key_score = keras.layers.Dense(num_heads, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden, use_bias=False)

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        p = self.summary(q, self.query_score(q), mask) * self.key_linear(inputs)
        u = self.summary(p, self.key_score(p), mask) * q
        return self.output_linear(u) + q

    def summary(self, x, scores, mask):
        one = ops.mean(scores, axis=-1) / self.size_per_head**0.5
        return additive_pooling(x, one, mask)[:, None, :]


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    labels = np.unique(y_true)
    hits, called, sizes = np.zeros((3, len(labels)), y_true.dtype)
    for row, c in enumerate(labels):
        with np.errstate(over="ignore"):
            hits[row] += np.sum((y_true == c) & (y_pred == c)).astype(y_true.dtype)
            called[row] += np.sum(y_pred == c).astype(y_true.dtype)
            sizes[row] += np.sum(y_true == c).astype(y_true.dtype)
    both = called.astype(float) + sizes
    return np.sum(2.0 * hits / np.maximum(both, 1) * sizes) / len(y_true)
