# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#     mistake: as_long_as_the_step
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: bounds_swapped_first
#   aggregate_chunk_predictions:
#     fails: everything
#     mistake: axis_kept
#   relative_position_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - all three terms are added up, also while training
#       - 'keys times distances: k·a, scaled'
#       - large distances share the first and last rows of the table
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#       - padded tokens are not attended to
#       - 'queries times distances: q·a, scaled'
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    step = size - overlap
    return [
        tokens[start : start + step]
        for start in range(0, max(len(tokens) - overlap, 1) if tokens else 0, size - overlap)
    ]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(key_length) - np.arange(query_length)[:, None]
    return np.clip(distance, max_length - 1, 1 - max_length) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    rows = []
    for number in np.unique(document_ids):
        rows.append(probabilities[document_ids == number].mean(axis=0, keepdims=True))
    return np.stack(rows)
