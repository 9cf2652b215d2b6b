# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - "any leading axes: (batch, heads, time, depth) works too"
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_multiplied
#   multi_head_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#     mistake: mask_ignored
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = tf.matmul(query, key, transpose_b=True) / tf.sqrt(float(key.shape[-1]))
    if mask is not None:
        logits = logits * tf.cast(mask, logits.dtype)
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, value), weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def attention(self, query, key, value, mask=None):
        return scaled_dot_product_attention(query, key, value, mask)

    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        output, _ = self.attention(query, key, value)
        return self.output_linear(self.combine_heads(output))
