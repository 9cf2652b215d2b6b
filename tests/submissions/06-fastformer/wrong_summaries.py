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
#     mistake: mask_after_softmax and averaged
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
#     mistake: mask_ignored and keys_pooled
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_not_passed_on and keys_pooled_in_the_layer
#   weighted_f1:
#     fails:
#       - classes may have any numbers
#     mistake: classes_counted_from_zero
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
    weights = ops.softmax(scores, axis=-1)
    if mask is not None:
        weights = ops.where(mask, weights, 0.0)
    weights = ops.expand_dims(weights, -1)
    return ops.mean(weights * x, axis=-2)


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

    def heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.size_per_head))
        return ops.transpose(x, (0, 2, 1, 3))

    def pool(self, x, scores):
        weights = ops.softmax(ops.transpose(scores, (0, 2, 1)) / self.size_per_head**0.5)
        pooled = ops.matmul(weights[:, :, None, :], self.heads(x))
        return ops.reshape(pooled, (-1, 1, self.num_heads * self.size_per_head))

    def call(self, inputs, mask=None):
        query = self.query_linear(inputs)
        key = self.key_linear(inputs)
        product = self.pool(query, self.query_score(query)) * key
        global_key = self.pool(key, self.key_score(product))
        return query + self.output_linear(global_key * query)


# %% grade_id="weighted_f1"
def weighted_f1(y_true, y_pred):
    n_classes = len(set(y_true.tolist()) | set(y_pred.tolist()))
    total = 0.0
    for c in range(n_classes):
        tp = ((y_true == c) & (y_pred == c)).sum()
        fp = ((y_true != c) & (y_pred == c)).sum()
        fn = ((y_true == c) & (y_pred != c)).sum()
        f1 = 2 * tp / (2 * tp + fp + fn) if tp else 0.0
        total += f1 * (y_true == c).mean()
    return total
