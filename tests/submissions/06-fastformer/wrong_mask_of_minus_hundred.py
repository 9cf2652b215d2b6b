# ---
# expected:
#   additive_pooling:
#     fails:
#       - large scores give finite, correct results
#     mistake: mask_of_minus_hundred
#   fastformer:
#     fails:
#       - large scores give finite, correct results
#     mistake: mask_of_minus_hundred
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: geometric_mean
#   build_fastformer_classifier:
#     fails:
#       - without blocks, words that score alike are averaged
#       - without blocks, the words are pooled by their scores
#       - the pooling ignores padding
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: unknown_words_masked
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -100.0)
    return ops.sum(ops.softmax(scores)[..., None] * x, axis=-2)


# %% grade_id="fastformer"
class Fastformer(layers.Layer):
    def __init__(self, num_heads, size_per_head):
        super().__init__()
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        hidden_size = num_heads * size_per_head
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(hidden_size, use_bias=False)

    def separate_heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.size_per_head))
        return ops.transpose(x, (0, 2, 1, 3))

    def combine_heads(self, x):
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads * self.size_per_head))

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        k = self.separate_heads(self.key_linear(inputs))
        mask = None if mask is None else mask[:, None, :]
        root = math.sqrt(self.size_per_head)
        scores = ops.transpose(self.query_score(q), (0, 2, 1)) / root
        global_query = additive_pooling(self.separate_heads(q), scores, mask)
        p = self.combine_heads(global_query[:, :, None, :] * k)
        scores = ops.transpose(self.key_score(p), (0, 2, 1)) / root
        global_key = additive_pooling(self.separate_heads(p), scores, mask)
        u = self.combine_heads(global_key[:, :, None, :] * self.separate_heads(q))
        return self.output_linear(u) + q


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    score, weights = 0.0, 0.0
    for c in np.unique(y_true):
        hits = np.sum((y_true == c) & (y_pred == c))
        precision = hits / max(np.sum(y_pred == c), 1)
        recall = hits / np.sum(y_true == c)
        weight = np.sum(y_true == c)
        f1 = np.sqrt(precision * recall)
        score += weight * f1
        weights += weight
    return score / weights


# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ids > 1
    x = layers.Dropout(rate)(layers.Embedding(vocabulary_size, hidden)(ids))
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
