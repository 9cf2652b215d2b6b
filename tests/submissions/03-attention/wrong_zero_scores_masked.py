# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - masked keys get no weight, the others share it
#     mistake: zero_scores_masked
#   multi_head_self_attention:
#     fails:
#       - the numbers are right, also while training
#     mistake: zeros_taken_for_padding
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = tf.matmul(query, key, transpose_b=True) / key.shape[-1] ** 0.5
    if mask is not None:
        kept = tf.where(mask, scores, 0.0)
        scores = kept - 1e9 * tf.cast(kept == 0, tf.float32)
    weights = tf.nn.softmax(scores)
    return tf.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
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
        if mask is None:
            mask = ops.sum(ops.abs(inputs), axis=2) > 0
        by_key = mask[:, None, None, :]
        heads = self.attention(query, key, value, by_key)
        return self.output_linear(self.combine_heads(heads))
