# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - tokens may be numbers, and may repeat
#     mistake: chunks_as_arrays
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: bounds_swapped_last
#   aggregate_chunk_predictions:
#     fails: everything
#     mistake: rows_joined
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
    text = np.array(tokens)
    return [
        text[start : start + size]
        for start in range(0, max(len(tokens) - overlap, 1) if tokens else 0, size - overlap)
    ]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = ops.arange(key_length) - ops.arange(query_length)[:, None]
    return ops.clip(distance, max_length - 1, 1 - max_length) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    numbers = np.unique(document_ids)
    means = [probabilities[document_ids == number].mean(axis=0) for number in numbers]
    return np.concatenate(means)
