# ---
# expected:
#   multi_head_self_attention:
#     fails:
#       - call uses the layer's own methods
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: one_head
# ---

# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        query = self.query_linear(inputs)
        key = self.key_linear(inputs)
        value = self.value_linear(inputs)
        by_key = None if mask is None else mask[:, None, :]
        heads = self.attention(query, key, value, by_key)
        output = self.output_linear(heads)
        return output
