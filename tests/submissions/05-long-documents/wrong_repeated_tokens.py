# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - tokens may be numbers, and may repeat
#     mistake: stops_at_an_equal_token
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: buckets
#   aggregate_chunk_predictions:
#     fails:
#       - numbers may be missing
#     mistake: sorted_as_text
#   relative_position_self_attention:
#     fails:
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - large distances share the first and last rows of the table
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: none
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    for start in range(0, len(tokens), size - overlap):
        chunks.append(tokens[start : start + size])
        if chunks[-1][-1] == tokens[-1]:
            break
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(key_length) - np.arange(query_length)[:, None]
    half = (2 * max_length - 1) // 2
    exact = max(half // 2, 1)
    far = np.abs(distance)
    large = np.log(np.maximum(far, 1) / exact) / np.log(128 / exact) * (half - exact)
    large = np.minimum(exact + large.astype(int), half - 1)
    return half * (distance > 0) + np.where(far < exact, far, large)


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    chunks = {}
    for row, document in zip(probabilities, document_ids):
        chunks.setdefault(str(document), []).append(row)
    return np.array([np.mean(chunks[document], axis=0) for document in sorted(chunks)])
