# ---
# expected:
#   additive_pooling:
#     fails:
#       - the numbers are right
#       - each head has its own weights
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scaled_again
#   fastformer:
#     fails:
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scaled_by_hidden_size
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: scaled_by_hidden_size_in_the_layer
#   weighted_f1:
#     fails:
#       - if all predictions are right, the score is 1
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: factor_missing
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: scaled_by_hidden_size_in_the_blocks
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    scores = scores / x.shape[-1] ** 0.5
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    return ops.sum(ops.softmax(scores)[..., None] * x, axis=-2)


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

    def summary(self, x, scores, mask):
        scores = scores / ops.sqrt(ops.cast(x.shape[-1], "float32"))
        if mask is not None:
            scores = ops.where(mask[..., None], scores, -1e9)
        weights = ops.softmax(scores, axis=1)
        time = x.shape[1]
        x = ops.reshape(x, (-1, time, self.num_heads, self.size_per_head))
        pooled = ops.einsum("bth,bthd->bhd", weights, x)
        return ops.reshape(pooled, (-1, 1, self.num_heads * self.size_per_head))

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        p = self.summary(q, self.query_score(q), mask) * self.key_linear(inputs)
        u = self.summary(p, self.key_score(p), mask) * q
        return self.output_linear(u) + q


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score = 0
    for c in np.unique(y_true):
        hits = np.sum((y_true == c) & (y_pred == c))
        precision = hits / max(np.sum(y_pred == c), 1)
        recall = hits / np.sum(y_true == c)
        if hits:
            score += np.mean(y_true == c) * precision * recall / (precision + recall)
    return score


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
    ids = keras.Input((max_length,), dtype="int32")
    mask = layers.Lambda(lambda words: words != 0)(ids)
    x = layers.Embedding(vocabulary_size, hidden)(ids)
    x = layers.Dropout(rate)(x)
    blocks = [FastformerBlock(num_heads, size_per_head, ff_dim, rate) for _ in range(num_blocks)]
    for inner in blocks:
        x = inner(x, mask=mask)
    outputs = layers.Dense(num_classes, activation="softmax")(Pooling(hidden)(x, mask=mask))
    return keras.Model(inputs=ids, outputs=outputs)
