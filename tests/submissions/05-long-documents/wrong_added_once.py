# ---
# expected:
#   aggregate_chunk_predictions:
#     fails:
#       - no probability is negative, and each row sums to 1
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: last_chunk_divided
# ---

# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities: np.ndarray, document_ids: np.ndarray) -> np.ndarray:
    documents, rows, counts = np.unique(document_ids, return_inverse=True, return_counts=True)
    predictions = np.zeros((len(documents), probabilities.shape[1]))
    predictions[rows] += probabilities
    predictions /= counts[:, None]
    return predictions
