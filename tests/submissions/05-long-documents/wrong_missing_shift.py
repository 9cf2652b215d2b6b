# ---
# expected:
#   overlapping_chunks: {points: 0.6, mistake: tokens_skipped}
#   relative_position_index: {points: 0.4, mistake: not_shifted}
#   relative_position_self_attention: {points: 1.5, mistake: not_shifted}
#   aggregate_chunk_predictions: {points: 0.4, mistake: votes}
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
import numpy as np


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
