# ---
# expected:
#   fastformer:
#     fails:
#       - output has the shape (batch, time, hidden_size), with batch and time of any size
#     mistake: sizes_of_the_first_call_kept
# ---

# %% grade_id="fastformer"
class Fastformer(layers.Layer):
    def __init__(self, num_heads, size_per_head):
        super().__init__()
        self.num_heads = num_heads
        self.size_per_head = size_per_head
        self.hidden_size = num_heads * size_per_head
        self.query_linear = layers.Dense(self.hidden_size, use_bias=False)
        self.key_linear = layers.Dense(self.hidden_size, use_bias=False)
        self.query_score = layers.Dense(num_heads, use_bias=False)
        self.key_score = layers.Dense(num_heads, use_bias=False)
        self.output_linear = layers.Dense(self.hidden_size, use_bias=False)
        self.supports_masking = True

    def build(self, shape):
        self.tokens = shape[1] or -1

    def by_head(self, x):
        x = ops.reshape(x, (-1, self.tokens, self.num_heads, self.size_per_head))
        return ops.transpose(x, (0, 2, 1, 3))

    def global_vector(self, x, scores, mask):
        scores = ops.transpose(scores, (0, 2, 1)) / self.size_per_head**0.5
        if mask is not None:
            mask = ops.expand_dims(mask, 1)
        pooled = additive_pooling(self.by_head(x), scores, mask)
        return ops.reshape(pooled, (-1, 1, self.hidden_size))

    def call(self, inputs, mask=None):
        q = self.query_linear(inputs)
        k = self.key_linear(inputs)
        p = k * self.global_vector(q, self.query_score(q), mask)
        u = q * self.global_vector(p, self.key_score(p), mask)
        return q + self.output_linear(u)
