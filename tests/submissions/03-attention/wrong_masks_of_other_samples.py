# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_left_away_for_all
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: samples_mixed_up_in_the_mask
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / math.sqrt(key.shape[-1])
    if mask is not None:
        each_has_keys = ops.all(ops.any(mask, axis=-1))
        scores = ops.where(mask, scores, ops.where(each_has_keys, -np.inf, scores))
    weights = ops.softmax(scores, axis=-1)
    return ops.matmul(weights, value), weights


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
        by_key = None
        if mask is not None:
            by_key = ops.concatenate([mask] * self.num_heads, axis=0)
            by_key = ops.reshape(by_key, (-1, self.num_heads, 1, ops.shape(inputs)[1]))
        heads = self.attention(query, key, value, by_key)
        return self.output_linear(self.combine_heads(heads))
