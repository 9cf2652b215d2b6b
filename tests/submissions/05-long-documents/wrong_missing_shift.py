# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunk k begins at token k·(size - overlap)
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#     mistake: tokens_skipped
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: not_shifted
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
#     mistake: not_shifted
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: votes
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    for start in range(0, len(tokens), size + overlap):
        chunks.append(tokens[start : start + size])
        if start + size >= len(tokens):
            break
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(key_length) - np.arange(query_length)[:, np.newaxis]
    return np.clip(distance, -(max_length - 1), max_length - 1)


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    classes = probabilities.shape[1]
    predictions = []
    for document in sorted(set(document_ids)):
        votes = probabilities[document_ids == document].argmax(axis=1)
        predictions.append(np.bincount(votes, minlength=classes) / len(votes))
    return np.array(predictions)
