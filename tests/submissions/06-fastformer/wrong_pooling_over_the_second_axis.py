# ---
# expected:
#   additive_pooling:
#     fails:
#       - "any leading axes: (batch, heads, time) works too"
#       - each head has its own weights
#       - a mask (batch, 1, time) applies to all heads, a mask (time) to all texts
#     mistake: sum_over_axis_one
#   fastformer:
#     fails: everything
#     mistake: pooled_over_the_second_axis
#   fastformer_block:
#     fails:
#       - output has the shape (batch, time, hidden_size)
#       - the feed-forward half is right when Fastformer adds nothing
#       - the Fastformer half is right when the feed-forward network adds nothing
#       - both together are right
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     relation: exception
#   build_fastformer_classifier:
#     fails:
#       - there is one row of num_classes numbers per text
#       - each row is a distribution
#       - the model has exactly the weights of these layers
#       - there are num_blocks Fastformer blocks
#       - the blocks drop at the given rate, and nothing is dropped after them
#       - the probabilities are right
#       - "padding changes nothing: the mask reaches every block"
#     mistake: blocks_fail
# ---

# %% grade_id="additive_pooling"
def additive_pooling(x, scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    return ops.sum(ops.softmax(scores)[..., None] * x, axis=1)


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
