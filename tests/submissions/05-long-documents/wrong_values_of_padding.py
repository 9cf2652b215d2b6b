# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: values_of_padding_set_to_zero
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query: tf.Tensor, key: tf.Tensor) -> tf.Tensor:
        time = ops.shape(query)[2]
        index = relative_position_index(time, time, self.max_length)
        distances = self.distance_embedding(index)  # (T, T, d)
        content = ops.einsum("bhid,bhjd->bhij", query, key)
        by_query = ops.einsum("bhid,ijd->bhij", query, distances)
        by_key = ops.einsum("bhjd,ijd->bhij", key, distances)
        scaled = (content + by_query + by_key) / self.depth**0.5
        return scaled

    def call(
        self,
        inputs: tf.Tensor,
        mask: tf.Tensor | None = None,
    ) -> tf.Tensor:
        query, key, value = (
            self.separate_heads(linear(inputs))
            for linear in (
                self.query_linear,
                self.key_linear,
                self.value_linear,
            )
        )
        if mask is not None:
            # nothing comes from padding
            value = ops.where(mask[:, None, :, None], value, 0.0)
        weights = ops.softmax(self.logits(query, key))
        output = self.combine_heads(ops.matmul(weights, value))
        output = self.output_linear(output)
        self.last_weights = weights
        return output
