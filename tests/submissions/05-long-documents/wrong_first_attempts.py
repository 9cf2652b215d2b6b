# ---
# expected:
#   overlapping_chunks:
#     fails:
#       - chunks have size tokens, and none follows the one that reaches the end
#       - the overlap may be 0, or more than half a chunk
#       - tokens may be numbers, and may repeat
#       - a text no longer than a chunk is one chunk
#     mistake: chunks_after_the_last
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: distance_reversed
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
#     mistake: distance_reversed
#   aggregate_chunk_predictions:
#     fails:
#       - chunks come in any order, documents are sorted by number
#     mistake: order_of_appearance
# ---

# %% grade_id="overlapping_chunks"
def overlapping_chunks(tokens, size, overlap):
    return [tokens[i : i + size] for i in range(0, len(tokens), size - overlap)]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    distance = tf.range(query_length)[:, tf.newaxis] - tf.range(key_length)
    return tf.clip_by_value(distance, 1 - max_length, max_length - 1) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    chunks = {}
    for document, row in zip(document_ids, probabilities):
        chunks.setdefault(document, []).append(row)
    return np.array([np.mean(rows, axis=0) for rows in chunks.values()])
