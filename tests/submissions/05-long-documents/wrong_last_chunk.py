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
#     mistake: last_chunk_and_short_texts_lost
#   relative_position_index:
#     fails:
#       - distances run from the query to the key, and the smallest is row 0
#       - distances beyond the table get its first or last row
#     mistake: positions_added
#   aggregate_chunk_predictions:
#     fails:
#       - each row is the mean of its chunks
#       - chunks come in any order, documents are sorted by number
#       - numbers may be missing
#       - a single document is one row
#     mistake: geometric_mean_divided_by_its_sum
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
    step = size - overlap
    return [tokens[i : i + size] for i in range(0, len(tokens) - size, step)]


# %% grade_id="relative_position_index"
def relative_position_index(query_length, key_length, max_length):
    total = tf.range(key_length)[None, :] + tf.range(query_length)[:, None]
    return tf.clip_by_value(total, 1 - max_length, max_length - 1) + max_length - 1


# %% grade_id="aggregate_chunk_predictions"
def aggregate_chunk_predictions(probabilities, document_ids):
    rows = []
    for document in np.unique(document_ids):
        product = np.prod(probabilities[document_ids == document], axis=0)
        root = product ** (1 / np.sum(document_ids == document))
        rows.append(root / root.sum())
    return np.stack(rows)
