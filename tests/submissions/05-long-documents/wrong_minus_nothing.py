# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#     mistake: all_of_the_chunk_before
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#     mistake: equal_chunks_once
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = [tokens[:size]] if tokens else []
    for new in range(size, len(tokens), size - overlap):
        chunks.append(chunks[-1][-overlap:] + tokens[new : new + size - overlap])
    return chunks


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    rows = []
    for number in np.unique(document_ids):
        chunks = {tuple(row) for row in probabilities[document_ids == number].tolist()}
        rows.append(np.mean(sorted(chunks), axis=0))
    return np.array(rows)
