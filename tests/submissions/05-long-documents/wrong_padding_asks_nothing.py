# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: minus_infinity_for_queries_too
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query: tf.Tensor, key: tf.Tensor) -> tf.Tensor:
        T = ops.shape(query)[2]
        rel = self.distance_embedding(relative_position_index(T, T, self.max_length))
        qk = ops.einsum("bhid,bhjd->bhij", query, key)
        qa = ops.einsum("bhid,ijd->bhij", query, rel)
        ka = ops.einsum("bhjd,ijd->bhij", key, rel)
        scaled = (qk + qa + ka) / (self.depth**0.5)
        return scaled

    def call(
        self,
        inputs: tf.Tensor,
        mask: tf.Tensor | None = None,
    ) -> tf.Tensor:
        Q = self.separate_heads(self.query_linear(inputs))
        K = self.separate_heads(self.key_linear(inputs))
        V = self.separate_heads(self.value_linear(inputs))
        E = self.logits(Q, K)
        if mask is not None:
            # padding neither looks nor is looked at
            both = ops.logical_and(mask[:, None, :, None], mask[:, None, None, :])
            E = ops.where(both, E, -np.inf)
        weights = ops.softmax(E, axis=-1)
        blended = self.combine_heads(ops.matmul(weights, V))
        output = self.output_linear(blended)
        self.last_weights = weights
        return output
