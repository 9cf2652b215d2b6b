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
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: sigmoid
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
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.sigmoid(logits)
        heads = self.combine_heads(ops.matmul(weights, value))
        output = self.output_linear(heads)
        self.last_weights = weights
        return output
