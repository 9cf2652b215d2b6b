# ---
# expected:
#   aggregate_chunk_predictions:
#     fails:
#       - numbers may be missing
#       - a single document is one row
#       - predictions has the right shape, and the inputs are not changed
#     mistake: rows_of_nan
# ---

# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    counts = np.bincount(document_ids)
    sums = np.zeros((len(counts), probabilities.shape[1]))
    np.add.at(sums, document_ids, probabilities)
    return sums / counts[:, None]
