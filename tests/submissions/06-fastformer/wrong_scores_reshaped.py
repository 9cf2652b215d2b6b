# ---
# expected:
#   fastformer:
#     fails:
#       - the global query is pooled from the queries, in each head
#       - the global key is pooled from the products of the global query and the keys, in each head
#       - both poolings together are right, also while training
#       - "the inputs' width may differ from hidden_size"
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: scores_reshaped
#   fastformer_block:
#     fails:
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: none
#   build_fastformer_classifier:
#     fails:
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: none
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
        mask = None if mask is None else mask[:, None, :]
        root = math.sqrt(self.size_per_head)
        scores = ops.reshape(self.query_score(q), (-1, self.num_heads, ops.shape(q)[1])) / root
        global_query = additive_pooling(self.separate_heads(q), scores, mask)
        p = self.combine_heads(global_query[:, :, None, :] * k)
        scores = ops.reshape(self.key_score(p), (-1, self.num_heads, ops.shape(p)[1])) / root
        global_key = additive_pooling(self.separate_heads(p), scores, mask)
        u = self.combine_heads(global_key[:, :, None, :] * self.separate_heads(q))
        return self.output_linear(u) + q
