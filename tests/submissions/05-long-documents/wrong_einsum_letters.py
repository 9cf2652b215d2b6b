# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunk k begins at token k·(size - overlap)
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#     mistake: overlap_as_step
#   relative_position_index:
#     fails: everything
#     mistake: axes_swapped
#   relative_position_self_attention:
#     fails:
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#     mistake: keys_at_the_query
#   aggregate_chunk_predictions:
#     fails: everything
#     mistake: averaged_over_classes
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    if not tokens:
        return []
    chunks = [tokens[:size]]
    for start in range(overlap, len(tokens) - size + overlap, overlap):
        chunks.append(tokens[start : start + size])
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.subtract.outer(np.arange(key_length), np.arange(query_length))
    return np.clip(distance, -max_length + 1, max_length - 1) + max_length - 1


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def call(self, inputs, mask=None):
        q = self.separate_heads(self.query_linear(inputs))
        k = self.separate_heads(self.key_linear(inputs))
        v = self.separate_heads(self.value_linear(inputs))
        time = inputs.shape[1]
        index = ops.transpose(relative_position_index(time, time, self.max_length))
        a = self.distance_embedding(index)
        logits = ops.einsum("bhid,bhjd->bhij", q, k)
        logits += ops.einsum("bhld,lrd->bhlr", q, a)
        logits += ops.einsum("bhld,lrd->bhlr", k, a)
        logits /= ops.sqrt(ops.cast(self.depth, "float32"))
        if mask is not None:
            logits += (1.0 - ops.cast(mask, "float32"))[:, None, None, :] * -1e9
        heads = ops.einsum("bhij,bhjd->bhid", ops.softmax(logits), v)
        return self.output_linear(self.combine_heads(heads))


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    return np.array([probabilities[document_ids == i].mean() for i in np.unique(document_ids)])
