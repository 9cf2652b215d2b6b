# ---
# expected:
#   aggregate_chunk_predictions:
#     fails: everything
#     mistake: only_the_last_document
# ---

# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    for number in np.unique(document_ids):
        predictions = probabilities[document_ids == number].mean(axis=0)
    return predictions
