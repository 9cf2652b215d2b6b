# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - the last chunk may be shorter
#       - tokens may be numbers, and may repeat
#     mistake: number_rounded
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: sign_in_the_upper_half
#   aggregate_chunk_predictions:
#     fails:
#       - no probability is negative, and each row sums to 1
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: geometric_mean
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
    if not tokens:
        return []
    step = size - overlap
    count = max(1, round((len(tokens) - overlap) / step))
    return [tokens[k * step : k * step + size] for k in range(count)]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = np.arange(key_length) - np.arange(query_length)[:, None]
    rows = np.minimum(np.abs(distance), max_length - 1)
    return np.where(distance > 0, rows + max_length - 1, rows)


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    logs = np.log(probabilities)
    numbers = np.unique(document_ids)
    return np.exp(np.stack([logs[document_ids == k].mean(axis=0) for k in numbers]))
