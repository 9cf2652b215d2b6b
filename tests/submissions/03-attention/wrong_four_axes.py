# ---
# expected:
#   scaled_dot_product_attention:
#     fails:
#       - output and weights have the right shapes
#       - no weight is negative, and each row sums to 1
#       - the weights are right
#       - the output is right
#       - masked keys get no weight, the others share it
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: four_axes_only
#   multi_head_self_attention:
#     fails:
#       - call uses the layer's own methods
#       - the numbers are right, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large scores give finite, correct results
#     mistake: combined_in_call_by_reshape
# ---

# %% grade_id="scaled_dot_product_attention"
def scaled_dot_product_attention(
    query: tf.Tensor,
    key: tf.Tensor,
    value: tf.Tensor,
    mask: tf.Tensor | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    scores = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2)))
    scores = scores / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    output = ops.matmul(weights, value)
    return output, weights


# %% changes="multi_head_self_attention"
class MultiHeadSelfAttention(layers.Layer):
    def call(self, inputs: tf.Tensor, mask=None) -> tf.Tensor:
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        by_key = None if mask is None else mask[:, None, None, :]
        heads = self.attention(query, key, value, by_key)
        output = self.output_linear(ops.reshape(heads, ops.shape(inputs)))
        return output
