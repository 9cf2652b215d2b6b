# ---
# expected:
#   additive_pooling:
#     fails:
#       - "any leading axes: (batch, heads, time) works too"
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#     mistake: leading_axes_flattened
#   fastformer:
#     fails:
#       - both poolings together are right, also while training
#     mistake: mask_of_an_earlier_call
#   weighted_f1:
#     fails:
#       - classes may have any numbers
#     mistake: negative_left_out
#   build_fastformer_classifier:
#     fails:
#       - without blocks, words that score alike are averaged
#     mistake: one_number_for_two_classes
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    *front, time, size = x.shape
    weights = ops.reshape(ops.softmax(scores), (-1, 1, time))
    summaries = (weights @ ops.reshape(x, (-1, time, size)))[:, 0]
    return ops.reshape(summaries, (-1, front[1], size)) if len(front) == 2 else summaries


# %% grade_id="fastformer"
class Fastformer(keras.layers.Layer):
    def __init__(self, num_heads, size_per_head):
        super().__init__()
        self.num_heads, self.size_per_head = num_heads, size_per_head
        hidden = num_heads * size_per_head
        self.query_linear = keras.layers.Dense(hidden, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden, use_bias=False)
        self.query_score = keras.layers.Dense(num_heads, use_bias=False)
        self.key_score = keras.layers.Dense(num_heads, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden, use_bias=False)
        self.lowered = 0.0

    def call(self, inputs, mask=None):
        if mask is not None:
            self.lowered = ops.where(mask, 0.0, -1e9)[:, None, :]
        q, k = self.query_linear(inputs), self.key_linear(inputs)
        p = self.pool(q, self.query_score(q)) * k
        return self.output_linear(self.pool(p, self.key_score(p)) * q) + q

    def pool(self, x, scores):
        time = x.shape[1]
        scores = ops.transpose(scores, (0, 2, 1)) / self.size_per_head**0.5
        weights = ops.softmax(scores + self.lowered)
        x = ops.reshape(x, (-1, time, self.num_heads, self.size_per_head))
        pooled = ops.einsum("bht,bthd->bhd", weights, x)
        return ops.reshape(pooled, (-1, 1, self.num_heads * self.size_per_head))


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    total = 0.0
    for label in range(max(y_true) + 1):
        true, called = y_true == label, y_pred == label
        if true.any():
            total += true.mean() * 2 * (true & called).sum() / (true.sum() + called.sum())
    return total


# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    last = (1, "sigmoid") if num_classes == 2 else (num_classes, "softmax")
    return keras.Model(ids, layers.Dense(last[0], activation=last[1])(x))
