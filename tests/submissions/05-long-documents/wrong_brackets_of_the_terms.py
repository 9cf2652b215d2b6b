# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - with a table of zeros, it's multi-head self-attention
#       - "queries times distances: q·a, scaled"
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: only_the_key_term_scaled
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query: tf.Tensor, key: tf.Tensor) -> tf.Tensor:
        time = ops.shape(query)[2]
        table_rows = relative_position_index(time, time, self.max_length)
        distances = self.distance_embedding(table_rows)
        term_a = ops.einsum("bhid,bhjd->bhij", query, key)
        term_b = ops.einsum("bhid,ijd->bhij", query, distances)
        term_c = ops.einsum("bhjd,ijd->bhij", key, distances)
        scaled = term_a + term_b + term_c / self.depth**0.5
        return scaled

    def call(
        self,
        inputs: tf.Tensor,
        mask: tf.Tensor | None = None,
    ) -> tf.Tensor:
        query = self.query_linear(inputs)
        key = self.key_linear(inputs)
        value = self.value_linear(inputs)
        query = self.separate_heads(query)
        key = self.separate_heads(key)
        value = self.separate_heads(value)
        logits = self.logits(query, key)
        if mask is not None:
            logits = ops.where(mask[:, None, None, :], logits, -1e9)
        weights = ops.softmax(logits)
        output = ops.matmul(weights, value)
        output = self.combine_heads(output)
        output = self.output_linear(output)
        self.last_weights = weights
        return output
