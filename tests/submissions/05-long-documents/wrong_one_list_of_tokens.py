# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunk k begins at token k·(size - overlap)
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the last chunk may be shorter
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#       - the first chunk begins like the text, and the inputs are not changed
#     mistake: chunks_run_together
#   relative_position_index:
#     fails: everything
#     mistake: no_axes
#   aggregate_chunk_predictions:
#     fails:
#       - predictions has the right shape, and the inputs are not changed
#     mistake: ids_shifted
#   relative_position_self_attention:
#     fails:
#       - a fully padded sample stays finite and the others stay right
#       - all three terms are added up, also while training
#       - 'keys times distances: k·a, scaled'
#       - large distances share the first and last rows of the table
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#       - output has the shape (batch, time, hidden_size)
#       - padded tokens are not attended to
#       - 'queries times distances: q·a, scaled'
#       - the numbers are right for identical tokens, whatever their weights
#       - with a table of zeros, it's multi-head self-attention
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    chunks = []
    for start in range(0, max(len(tokens) - overlap, 1) if tokens else 0, size - overlap):
        chunks += tokens[start : start + size]
    return chunks


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = ops.arange(key_length) - ops.arange(query_length)
    return ops.clip(distance, 1 - max_length, max_length - 1) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    document_ids -= document_ids.min()
    numbers = np.unique(document_ids)
    return np.stack([probabilities[document_ids == number].mean(axis=0) for number in numbers])
