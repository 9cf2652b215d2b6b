# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: renormalised_to_nan
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def call(
        self,
        inputs: tf.Tensor,
        mask: tf.Tensor | None = None,
    ) -> tf.Tensor:
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        logits = self.logits(query, key)
        weights = ops.softmax(logits, axis=-1)
        if mask is not None:
            weights = ops.where(mask[:, None, None, :], weights, 0.0)
            weights = weights / ops.sum(weights, axis=-1, keepdims=True)
        heads = self.combine_heads(ops.matmul(weights, value))
        output = self.output_linear(heads)
        self.last_weights = weights
        return output
