# ---
# expected:
#   fastformer:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#       - when output_linear adds nothing, only the queries remain
#       - "identical tokens: query, key and value are multiplied"
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#     mistake: mask_not_tested_for_none
#   fastformer_block:
#     fails:
#       - output has the shape (batch, time, hidden_size)
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#     mistake: mask_not_tested_for_none_in_the_layer
#   weighted_f1:
#     fails:
#       - a class that is predicted and never right scores 0
#     mistake: nan_for_a_class_never_right
#   build_fastformer_classifier:
#     fails:
#       - embeddings are dropped at the given rate, in training only
#       - the blocks drop at the given rate, and nothing is dropped after them
#     mistake: dropout_after_the_pooling_only
# ---

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
        mask = mask[:, None, :]
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
        f1 = 2 * precision * recall / (precision + recall) if np.sum(y_pred == c) else 0.0
        score += weight * f1
        weights += weight
    return score / weights


# %% changes="build_fastformer_classifier"
def build_fastformer_classifier(
    max_length, vocabulary_size, num_classes, num_heads, size_per_head, ff_dim, num_blocks, rate
):
    hidden = num_heads * size_per_head
    ids = keras.Input((max_length,), dtype="int32")
    mask = ops.not_equal(ids, 0)
    x = layers.Embedding(vocabulary_size, hidden)(ids)
    for _ in range(num_blocks):
        x = FastformerBlock(num_heads, size_per_head, ff_dim, rate)(x, mask=mask)
    x = AttentionPooling(hidden)(x, mask=mask)
    x = layers.Dropout(rate)(x)
    return keras.Model(ids, layers.Dense(num_classes, activation="softmax")(x))
