# ---
# expected:
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
#     mistake: values_of_their_own
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: values_of_their_own_in_the_layer
#   build_fastformer_classifier:
#     fails:
#       - the model has exactly the weights of these layers
#       - there are num_blocks Fastformer blocks
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: none
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
        self.value_linear = layers.Dense(hidden, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(hidden, use_bias=False)

    def heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.size_per_head))
        return ops.transpose(x, (0, 2, 1, 3))

    def pooled(self, x, score, mask):
        scores = ops.transpose(score(x), (0, 2, 1)) / self.size_per_head**0.5
        mask = None if mask is None else mask[:, None, :]
        one = additive_pooling(self.heads(x), scores, mask)
        return ops.reshape(one, (-1, 1, self.num_heads * self.size_per_head))

    def call(self, inputs, mask=None):
        q, k = self.query_linear(inputs), self.key_linear(inputs)
        p = self.pooled(q, self.query_score, mask) * k
        u = self.pooled(p, self.key_score, mask) * self.value_linear(inputs)
        return self.output_linear(u) + q
