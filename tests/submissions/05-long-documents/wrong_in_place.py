# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the first chunk begins like the text, and the inputs are not changed
#     mistake: tokens_changed
#   relative_position_index:
#     fails: everything
#     mistake: lengths_swapped
#   aggregate_chunk_predictions:
#     fails:
#       - predictions has the right shape, and the inputs are not changed
#     mistake: arguments_changed
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    while tokens:
        chunks.append(tokens[:size])
        if len(tokens) <= size:
            break
        del tokens[: size - overlap]
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(query_length)[None, :] - np.arange(key_length)[:, None]
    return np.clip(distance, 1 - max_length, max_length - 1) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    totals, counts = {}, {}
    for row, document in zip(probabilities, document_ids):
        if document in totals:
            totals[document] += row
        else:
            totals[document] = row
        counts[document] = counts.get(document, 0) + 1
    return np.array([totals[document] / counts[document] for document in sorted(totals)])
