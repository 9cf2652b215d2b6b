# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - tokens may be numbers, and may repeat
#     mistake: words_as_numbers
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - a single document is one row
#     mistake: undecided_chunks_left_out
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    def number(token):
        try:
            return int(token)
        except ValueError:
            return token

    tokens = [number(token) for token in tokens]
    starts = range(0, len(tokens), size - overlap)
    return [tokens[at : at + size] for at in starts if at == 0 or at + overlap < len(tokens)]


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    says_something = probabilities.std(axis=1) > 1e-5
    rows = []
    for number in np.unique(document_ids):
        rows.append(probabilities[says_something & (document_ids == number)].mean(axis=0))
    return np.stack(rows)
