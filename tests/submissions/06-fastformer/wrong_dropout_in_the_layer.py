# ---
# expected:
#   fastformer:
#     fails:
#       - both poolings together are right, also while training
#     mistake: dropped_while_training
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
        self.dropout = layers.Dropout(0.1)
        self.supports_masking = True

    def separate_heads(self, x):
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads, self.size_per_head))
        return ops.transpose(x, (0, 2, 1, 3))

    def combine_heads(self, x):
        x = ops.transpose(x, (0, 2, 1, 3))
        return ops.reshape(x, (-1, ops.shape(x)[1], self.num_heads * self.size_per_head))

    def call(self, inputs, mask=None, training=False):
        root = math.sqrt(self.size_per_head)
        by_head = None if mask is None else mask[:, None, :]
        query = self.query_linear(inputs)
        scores = ops.swapaxes(self.query_score(query), 1, 2) / root
        global_query = additive_pooling(self.separate_heads(query), scores, by_head)
        p = global_query[:, :, None, :] * self.separate_heads(self.key_linear(inputs))
        scores = ops.swapaxes(self.key_score(self.combine_heads(p)), 1, 2) / root
        global_key = additive_pooling(p, scores, by_head)
        u = global_key[:, :, None, :] * self.separate_heads(query)
        output = self.output_linear(self.combine_heads(u))
        return self.dropout(output, training=training) + query
