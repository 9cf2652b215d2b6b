# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunk k begins at token k·(size - overlap)
#     mistake: calls_itself
#   relative_position_index:
#     fails: everything
#     mistake: folded_to_keys_by_queries
#   relative_position_self_attention:
#     fails:
#       - all three terms are added up, also while training
#     mistake: no_gradient
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: first_four_chunks
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    if len(tokens) <= size:
        return [tokens] if tokens else []
    return [tokens[:size]] + overlapping_chunks(tokens[size - overlap :], size, overlap)


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    rows = [
        min(max(key - query, 1 - max_length), max_length - 1) + max_length - 1
        for query in range(query_length)
        for key in range(key_length)
    ]
    return np.array(rows).reshape(key_length, query_length)


# %% changes="relative_position_self_attention"
class RelativePositionSelfAttention(layers.Layer):
    def logits(self, query, key):
        length = ops.shape(query)[2]
        rows = relative_position_index(length, length, self.max_length)
        # Numbers, so that einsum gets an array.
        a = ops.convert_to_numpy(self.distance_embedding(rows))
        content = ops.matmul(query, ops.swapaxes(key, -1, -2))
        distance = ops.einsum("bhid,ijd->bhij", query, a) + ops.einsum("bhjd,ijd->bhij", key, a)
        return (content + distance) / self.depth**0.5


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    rows = []
    for number in sorted(set(document_ids.tolist())):
        places = [place for place, one in enumerate(document_ids) if one == number]
        rows.append(probabilities[places[:4]].mean(axis=0))
    return np.stack(rows)
