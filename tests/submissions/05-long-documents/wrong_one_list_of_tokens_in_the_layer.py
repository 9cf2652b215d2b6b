# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - large logits give finite, correct results
#     mistake: renormalised_after_softmax
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
            total = ops.sum(weights, axis=-1, keepdims=True)
            weights = weights / (total + 1e-9)
        heads = self.combine_heads(ops.matmul(weights, value))
        output = self.output_linear(heads)
        self.last_weights = weights
        return output
