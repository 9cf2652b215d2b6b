# ---
# expected:
#   fastformer:
#     fails:
#       - padded tokens get no weight in either pooling
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: mask_in_query_pooling_only
#   fastformer_block:
#     fails:
#       - the mask reaches Fastformer
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_in_query_pooling_only_in_the_layer
#   build_fastformer_classifier:
#     fails:
#       - "padding changes nothing: the mask reaches every block"
#     mistake: mask_in_query_pooling_only_in_the_blocks
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
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(hidden, use_bias=False)

    def heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.size_per_head))
        return ops.transpose(x, (0, 2, 1, 3))

    def call(self, inputs, mask=None):
        q = self.heads(self.query_linear(inputs))
        k = self.heads(self.key_linear(inputs))
        scores = ops.transpose(self.query_score(self.flat(q)), (0, 2, 1)) / self.size_per_head**0.5
        mask = None if mask is None else mask[:, None, :]
        p = additive_pooling(q, scores, mask=mask)[:, :, None] * k
        scores = ops.transpose(self.key_score(self.flat(p)), (0, 2, 1)) / self.size_per_head**0.5
        u = additive_pooling(p, scores)[:, :, None] * q
        return self.output_linear(self.flat(u)) + self.flat(q)

    def flat(self, x):
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads * self.size_per_head))
