# ---
# expected:
#   average_attention:
#     fails:
#       - the numbers are right
#       - large scores give finite, correct results
#     mistake: context_of_length_1
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#     mistake: barely_hidden
#   multi_head_self_attention:
#     fails:
#       - large scores give finite, correct results
#     mistake: mask_of_an_earlier_call
# ---

# %% grade_id="average_attention"
def average_attention(hidden, context):
    direction = tf.math.l2_normalize(context)
    scores = tf.linalg.matvec(hidden, direction) / math.sqrt(hidden.shape[-1])
    weights = tf.nn.softmax(scores)
    return tf.reduce_sum(weights[:, :, tf.newaxis] * hidden, axis=1)


# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -10000.0)
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, hidden_size, num_heads, **kwargs):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.num_heads = num_heads
        self.depth = hidden_size // num_heads
        self.supports_masking = True
        self.query_linear = layers.Dense(hidden_size, use_bias=False)
        self.key_linear = layers.Dense(hidden_size, use_bias=False)
        self.value_linear = layers.Dense(hidden_size, use_bias=False)
        self.output_linear = layers.Dense(hidden_size)
        self.padding = None

    def attention(self, query, key, value, mask=None):
        scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        self.last_weights = ops.softmax(scores)
        return ops.matmul(self.last_weights, value)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        if mask is not None:
            self.padding = mask
        by_key = None if self.padding is None else self.padding[:, None, None, :]
        heads = self.attention(query, key, value, by_key)
        return self.output_linear(self.combine_heads(heads))
