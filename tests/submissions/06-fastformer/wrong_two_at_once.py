# ---
# expected:
#   additive_pooling:
#     fails:
#       - "any leading axes: (batch, heads, time) works too"
#       - each head has its own weights
#       - masked tokens get no weight, the others share it
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: softmax_over_axis_one and mask_multiplied
#   fastformer:
#     fails:
#       - when output_linear adds nothing, only the queries remain
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: no_scaling and no_queries_added
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#       - in training, outputs of Fastformer and of the network are dropped at the given rate
#     mistake: no_scaling_in_the_layer and no_queries_added_in_the_layer
#   weighted_f1:
#     fails:
#       - the number is right
#       - a class that is never predicted scores 0
#       - a class that is predicted and never right scores 0
#       - a class that is never true has no weight
#       - classes may have any numbers
#     mistake: jaccard
#   build_fastformer_classifier:
#     fails:
#       - the pooling ignores padding
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: none
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = scores * tf.cast(mask, tf.float32)
    weights = tf.nn.softmax(scores, axis=1)
    return tf.einsum("...td,...t->...d", x, weights)


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

    def summary(self, tokens, score, mask):
        logits = score(tokens)
        if mask is not None:
            logits += (1.0 - tf.cast(mask, tf.float32)[:, :, tf.newaxis]) * -1e9
        weights = tf.nn.softmax(logits, axis=1)
        by_head = tf.reshape(tokens, (-1, tokens.shape[1], self.num_heads, self.size_per_head))
        pooled = tf.reduce_sum(weights[..., tf.newaxis] * by_head, axis=1)
        return tf.reshape(pooled, (-1, 1, self.hidden))

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        global_query = self.summary(q, self.query_score, mask)
        products = global_query * self.key_linear(inputs)
        global_key = self.summary(products, self.key_score, mask)
        return self.output_linear(global_key * q)


# %% grade_id="weighted_f1"
from sklearn.metrics import jaccard_score


def weighted_f1(y_true, y_pred):
    return jaccard_score(y_true, y_pred, average="weighted", zero_division=0)
