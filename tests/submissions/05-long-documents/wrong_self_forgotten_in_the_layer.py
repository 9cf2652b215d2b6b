# ---
# expected:
#   relative_position_self_attention:
#     fails: everything
#     mistake: self_forgotten
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
        logits = logits(query, key)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits, axis=-1)
        heads = self.combine_heads(ops.matmul(weights, value))
        output = self.output_linear(heads)
        self.last_weights = weights
        return output
