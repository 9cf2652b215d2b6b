# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#     mistake: a_single_token_lost
#   relative_position_index:
#     fails:
#       - distances beyond the table get its first or last row
#     mistake: upper_bound_too_large
#   aggregate_chunk_predictions:
#     fails:
#       - numbers may be missing
#     mistake: order_of_a_set
#   relative_position_self_attention:
#     fails:
#       - large distances share the first and last rows of the table
#     mistake: not_clipped
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    step = size - overlap
    stop = max(len(tokens) - overlap - 1, 1) if tokens else 0
    return [tokens[start : start + size] for start in range(0, stop, step)]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(key_length)[None, :] - np.arange(query_length)[:, None]
    return np.clip(distance, -(max_length - 1), max_length) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    return np.array([probabilities[document_ids == k].mean(axis=0) for k in set(document_ids)])
