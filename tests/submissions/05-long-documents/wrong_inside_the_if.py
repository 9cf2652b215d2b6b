# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - the numbers are right for identical tokens, whatever their weights
#       - with a table of zeros, it's multi-head self-attention
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#     mistake: softmax_with_a_mask_only
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, max_length, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.max_length = max_length
        self.query_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.key_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.value_linear = keras.layers.Dense(hidden_size, use_bias=False)
        self.output_linear = keras.layers.Dense(hidden_size)
        self.distance_embedding = keras.layers.Embedding(2 * max_length - 1, self.depth)

    def logits(self, query, key):
        length = ops.shape(query)[2]
        a = self.distance_embedding(relative_position_index(length, length, self.max_length))
        by_content = ops.einsum("bhid,bhjd->bhij", query, key)
        by_query = ops.einsum("bhid,ijd->bhij", query, a)
        by_key = ops.einsum("bhjd,ijd->bhij", key, a)
        return (by_content + by_query + by_key) / math.sqrt(self.depth)

    def call(self, inputs, mask=None):
        query, key, value = (
            self.separate_heads(linear(inputs))
            for linear in (self.query_linear, self.key_linear, self.value_linear)
        )
        weights = self.logits(query, key)
        if mask is not None:
            weights = ops.where(mask[:, None, None, :], weights, -1e9)
            weights = ops.softmax(weights)
        self.last_weights = weights
        return self.output_linear(self.combine_heads(ops.matmul(weights, value)))
