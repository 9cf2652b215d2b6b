# ---
# expected:
#   relative_position_self_attention:
#     fails:
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: mask_multiplied
#   aggregate_chunk_predictions:
#     fails:
#       - numbers may be missing
#       - a single document is one row
#       - predictions has the right shape, and the inputs are not changed
#     mistake: rows_for_missing_documents
# ---

# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        query = self.separate_heads(self.query_linear(inputs))
        key = self.separate_heads(self.key_linear(inputs))
        value = self.separate_heads(self.value_linear(inputs))
        time = inputs.shape[1]
        a = self.distance_embedding(relative_position_index(time, time, self.max_length))
        logits = ops.matmul(query, ops.swapaxes(key, -1, -2))
        logits += ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        logits /= self.depth**0.5
        if mask is not None:
            logits *= ops.cast(mask, "float32")[:, None, None, :]
        heads = ops.matmul(ops.softmax(logits), value)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    order = tf.argsort(document_ids)
    return tf.math.segment_mean(tf.gather(probabilities, order), tf.gather(document_ids, order))
