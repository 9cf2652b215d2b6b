# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - tokens may be numbers, and may repeat
#     mistake: numbers_as_text
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#     mistake: shifted_by_the_smallest
#   aggregate_chunk_predictions:
#     fails: everything
#     mistake: row_for_each_chunk
#   relative_position_self_attention:
#     fails:
#       - 'queries times distances: q·a, scaled'
#       - 'keys times distances: k·a, scaled'
#       - all three terms are added up, also while training
#       - padded tokens are not attended to
#       - a fully padded sample stays finite and the others stay right
#       - large logits give finite, correct results
#       - last_weights are the weights after mask and softmax
#     mistake: shorter_length_for_max_length
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    words = " ".join(map(str, tokens)).split()
    step = size - overlap
    return [
        words[start : start + size]
        for start in range(0, len(words), step)
        if start == 0 or start + overlap < len(words)
    ]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    queries, keys = ops.arange(query_length), ops.arange(key_length)
    distance = ops.expand_dims(keys, 0) - ops.expand_dims(queries, 1)
    clipped = ops.minimum(ops.maximum(distance, 1 - max_length), max_length - 1)
    return clipped - ops.min(clipped)


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    same = (document_ids[:, None] == document_ids[None, :]).astype("float32")
    return same @ probabilities / same.sum(axis=1, keepdims=True)
